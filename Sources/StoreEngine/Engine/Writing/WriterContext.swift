import SQLCipher
import StoreBasics

/// What the writer knows of the open store: how it is durable, and what the areas keep of it in memory. Only the thread
/// that holds the writer's seat may use it.
final class WriterContext: DurableStore {
    /// What areas of the vault hold as of the last commit.
    var fileUsage: [FileArea: FileUsage] = [:]
    let caches: WriterCaches
    /// There may be rows that nobody can reach any more.
    var hasRowsToRemove = false
    /// When that is tried again after it has failed; `nil` where it went well.
    var removalRetryDue: ContinuousClock.Instant?
    var searchBacklog = SearchBacklog()
    /// Whether there is work of users whose work is not being done.
    var othersWait: () -> Bool = { false }
    /// Whether clients write, so that work for the store's group has a share of the time only.
    var clientsWrite: () -> Bool = { false }
    /// What the last group has spent on such work.
    var pacedNanoseconds: UInt64 = 0
    let clock: StoreClock
    let attachmentCache: AttachmentCache
    let fileQuotas: FileQuotas
    /// Told when a message is to go, in microseconds since the machine was started.
    let retentionDue: (Int64) -> Void
    /// Told behind the commit what it let go of that has a file in the vault.
    let released: (ReleasedContents) -> Void
    /// Told behind the commit what it has made of devices of the store's group.
    let told: ([ReplicaNews]) -> Void

    /// - Parameter isDamaged: whether damage was met since the store was opened.
    init(
        walBounds: WALBounds, visibility: WriteVisibility, clock: StoreClock, attachmentCache: AttachmentCache,
        fileQuotas: FileQuotas, vault: WriterVault, retentionDue: @escaping (Int64) -> Void,
        released: @escaping (ReleasedContents) -> Void, told: @escaping ([ReplicaNews]) -> Void,
        metFullDisk: @escaping (StoreError) -> Void,
        isDamaged: @escaping () -> Bool
    ) {
        self.clock = clock
        self.attachmentCache = attachmentCache
        self.fileQuotas = fileQuotas
        caches = WriterCaches(vault: vault)
        self.retentionDue = retentionDue
        self.released = released
        self.told = told
        super.init(
            walBounds: walBounds, visibility: visibility, deferredRows: caches.areas.newMessageSums,
            caches: caches.all, metFullDisk: metFullDisk, isDamaged: isDamaged)
    }

    /// There is something to do when nothing else is.
    var wantsIdleTime: Bool {
        connection != nil
            && (hasUncommittedPages || needsHousekeeping || hasRowsToRemove || searchBacklog.hasWork || isDiskFull)
    }

    var isRemovalDue: Bool {
        hasRowsToRemove && removalRetryDue.map { $0 < .now } ?? true
    }

    /// A step of the search index can be done; on a full disk it waits.
    var isIndexingDue: Bool { !isDiskFull && searchBacklog.isDue }

    /// Before the store is closed, stores the anchor of its age if anything in it ends by time.
    func keepAnchor() throws(StoreError) {
        guard !isDamaged(), try ClockRow.isNeeded(openConnection()) else { return }
        let anchor = clock.anchor
        try commit { connection throws(StoreError) in try ClockRow.write(anchor, connection) }
        clock.noteKept(anchor)
    }

    /// Leaves database file and WAL of a damaged store as they are, and the WAL where it could not be emptied.
    ///
    /// - Parameter preservingFiles: leaves them as they are in any case.
    override func close(preservingFiles: Bool = false) {
        super.close(preservingFiles: preservingFiles)
        fileUsage = [:]
        searchBacklog = SearchBacklog()
        hasRowsToRemove = false
        removalRetryDue = nil
    }
}
