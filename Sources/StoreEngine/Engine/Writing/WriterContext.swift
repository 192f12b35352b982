import SQLCipher
import StoreBasics

/// The writer's state of the open store: its journal and pages, and the caches of the areas. Only the thread that holds
/// the writer lock may use it.
final class WriterContext: DurableStore {
    /// The usage of the areas of the vault as of the last commit.
    var fileUsage: [FileArea: FileUsage] = [:]
    let caches: WriterCaches
    /// True if there may be unreachable rows.
    var hasRowsToRemove = false
    /// The time of the next attempt after a failed removal of rows; `nil` after a success.
    var removalRetryDue: ContinuousClock.Instant?
    var searchBacklog = SearchBacklog()
    /// Returns true if users wait who have no write in the present batch.
    var othersWait: () -> Bool = { false }
    /// Returns whether clients write, so that work for the replica group gets only a share of the time.
    var clientsWrite: () -> Bool = { false }
    /// The time that the last batch spent on work for the replica group.
    var pacedNanoseconds: UInt64 = 0
    let clock: StoreClock
    let attachmentCache: AttachmentCache
    let fileQuotas: FileQuotas
    /// Called after a commit with the time at which the next message expires, in microseconds since the machine's boot.
    let retentionDue: (Int64) -> Void
    /// Called after a commit with the contents that it released and that have a file in the vault.
    let released: (ReleasedContents) -> Void
    /// Called after a commit that admitted devices to the replica group, or removed some.
    let announceNews: ([ReplicaNews]) -> Void

    /// - Parameter isDamaged: Returns whether damage was found since the store was opened.
    init(
        walBounds: WALBounds, visibility: WriteVisibility, clock: StoreClock, attachmentCache: AttachmentCache,
        fileQuotas: FileQuotas, vault: WriterVault, retentionDue: @escaping (Int64) -> Void,
        released: @escaping (ReleasedContents) -> Void, announceNews: @escaping ([ReplicaNews]) -> Void,
        metFullDisk: @escaping (StoreError) -> Void,
        isDamaged: @escaping () -> Bool
    ) {
        self.clock = clock
        self.attachmentCache = attachmentCache
        self.fileQuotas = fileQuotas
        caches = WriterCaches(vault: vault)
        self.retentionDue = retentionDue
        self.released = released
        self.announceNews = announceNews
        super.init(
            walBounds: walBounds, visibility: visibility, deferredRows: caches.areas.newMessageSums,
            caches: caches.all, metFullDisk: metFullDisk, isDamaged: isDamaged)
    }

    /// True if the writer thread has work to do when no request waits: for example, it commits pages or removes rows.
    var wantsIdleTime: Bool {
        connection != nil
            && (hasUncommittedPages || needsHousekeeping || hasRowsToRemove || searchBacklog.hasWork || isDiskFull)
    }

    var isRemovalDue: Bool {
        hasRowsToRemove && removalRetryDue.map { $0 < .now } ?? true
    }

    /// True if the search index has a step to do. On a full disk, the step has to wait.
    var isIndexingDue: Bool { !isDiskFull && searchBacklog.isDue }

    /// Stores the anchor of the store's age before the store is closed, if the store needs it (`ClockRow.isNeeded`).
    func keepAnchor() throws(StoreError) {
        guard !isDamaged(), try ClockRow.isNeeded(openConnection()) else { return }
        let anchor = clock.anchor
        try commit { connection throws(StoreError) in try ClockRow.write(anchor, connection) }
        clock.recordStoredAnchor(anchor)
    }

    /// Closes the store. Database file and WAL of a damaged store stay unchanged, and the WAL stays if it could not be
    /// emptied.
    ///
    /// - Parameter preservingFiles: True to leave database file and WAL unchanged in any case.
    override func close(preservingFiles: Bool = false) {
        super.close(preservingFiles: preservingFiles)
        fileUsage = [:]
        searchBacklog = SearchBacklog()
        hasRowsToRemove = false
        removalRetryDue = nil
    }
}
