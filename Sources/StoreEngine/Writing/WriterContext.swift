import Glibc
import SQLCipher
import StoreBasics

/// What only the writer thread touches: the one read-write connection and what it knows of the store.
final class WriterContext {
    /// `nil` while no store is open.
    var connection: Connection?
    var statistics = Statistics(history: .none)
    /// What areas of the vault hold as of the last commit.
    var fileUsage: [FileArea: FileUsage] = [:]
    var knownConversations = ConversationNumberCache()
    let openLogs = OpenLogs()
    /// `nil` while no store is open.
    var mark: StoreMarkFile?
    /// Something was written since the WAL, the reserve and the caches were last looked after.
    var needsHousekeeping = false
    /// There may be rows that nobody can reach any more.
    var hasRowsToRemove = false
    /// When that is tried again after it has failed; `nil` where it went well.
    var removalRetryDue: ContinuousClock.Instant?
    /// When the WAL is to be emptied at the latest, because it may hold content that was removed; `nil` when it holds
    /// none.
    var walEmptyingDue: ContinuousClock.Instant?
    var checkpointPacing = CheckpointPacing()
    /// What the WAL file has grown to; it keeps its size when it starts over.
    var walFileBytes = 0
    /// The disk had no room for a write, and has not been found to have room again.
    var isDiskFull = false
    /// The store's history is newer than the one in its database: the next commit takes it there.
    private(set) var isHistoryUnwritten = false
    /// Of a store that lacks commits: that its files of the vault are to be kept is noted before the new history is
    /// written, which is all that the next opening sees of the loss.
    var vaultToKeep: StateDirectory?
    var keptKeys = KeptKeys()
    var searchBacklog = SearchBacklog()
    /// Space for deletes on a full disk; `nil` while no store is open.
    var reserve: DiskReserve?
    /// Whether there is work of users whose work is not being done.
    var othersWait: () -> Bool = { false }
    /// Of those of the connection that wrote something.
    private var notedCommits = 0
    let clock: StoreClock
    let attachmentCache: AttachmentCache
    let fileQuotas: FileQuotas
    /// Told when a message is to go, in microseconds since the machine was started.
    let retentionDue: (Int64) -> Void
    private let isDamaged: () -> Bool
    /// Told behind the commit what it let go of that has a file in the vault.
    let released: (ReleasedContents) -> Void

    /// - Parameter isDamaged: whether damage was met since the store was opened.
    init(
        clock: StoreClock, attachmentCache: AttachmentCache, fileQuotas: FileQuotas,
        retentionDue: @escaping (Int64) -> Void,
        released: @escaping (ReleasedContents) -> Void = { _ in }, isDamaged: @escaping () -> Bool
    ) {
        self.clock = clock
        self.attachmentCache = attachmentCache
        self.fileQuotas = fileQuotas
        self.retentionDue = retentionDue
        self.isDamaged = isDamaged
        self.released = released
    }

    /// There is something to do when nothing else is.
    var wantsIdleTime: Bool {
        connection != nil && (needsHousekeeping || hasRowsToRemove || searchBacklog.hasWork || isDiskFull)
    }

    var isRemovalDue: Bool {
        hasRowsToRemove && removalRetryDue.map { $0 < .now } ?? true
    }

    /// - Throws: `.storeLocked` while no store is open.
    func openConnection() throws(StoreError) -> Connection {
        guard let connection else { throw StoreError(.storeLocked, "the store is locked; unlock it first") }
        return connection
    }

    /// Begins a transaction.
    func begin() throws(StoreError) -> Connection {
        let connection = try openConnection()
        try connection.run(Self.beginText)
        guard isHistoryUnwritten else { return connection }
        do throws(StoreError) {
            if let vaultToKeep {
                try VaultFolder.noteLoss(in: vaultToKeep)
            }
            try History.write(statistics.history, connection)
        } catch {
            connection.rollBack()
            throw error
        }
        return connection
    }

    /// After each commit of a transaction begun here.
    ///
    /// - Parameter revision: the last one that is durable now.
    func noteCommit(revision: UInt64) {
        guard let connection, connection.walCommits != notedCommits else { return }
        notedCommits = connection.walCommits
        isHistoryUnwritten = false
        vaultToKeep = nil
        needsHousekeeping = true
        mark?.noteCommit(revision: revision, logFrames: connection.walFrames)
    }

    /// From here on the store has another history, in a commit of its own; where that fails it has it all the same.
    func beginHistory() throws(StoreError) {
        statistics.history = .random()
        isHistoryUnwritten = true
        try commit { _ in }
    }

    /// Runs `body` in a transaction that gives no revision, and commits it.
    func commit<Result>(_ body: (Connection) throws(StoreError) -> Result) throws(StoreError) -> Result {
        let connection = try begin()
        do throws(StoreError) {
            let result = try body(connection)
            try mapped(connection.commit())
            noteCommit(revision: statistics.revision)
            return result
        } catch {
            connection.rollBack()
            throw error
        }
    }

    /// Before the store is closed: what its age is counted from, where a timer runs.
    func keepAnchor() throws(StoreError) {
        guard !isDamaged(), try ClockRow.isNeeded(openConnection()) else { return }
        try commit { connection throws(StoreError) in try ClockRow.write(clock.anchor, connection) }
    }

    /// The WAL holds content that is gone from the store.
    func noteRemovedContent() {
        walEmptyingDue = walEmptyingDue ?? .now + .seconds(WALHousekeeping.removedContentSeconds)
    }

    /// Brings everything in the WAL to the database file, makes the mark say so, and makes the WAL an empty file.
    ///
    /// - Returns: false when a reader is in the way, or the mark cannot be made to say so.
    func emptyLog() throws(StoreError) -> Bool {
        // What tells that it must be another history stays until it is.
        guard !isHistoryUnwritten else { return false }
        let connection = try openConnection()
        guard try checkpoint(.passive, connection).isComplete, mark?.noteLogIsNotNeeded() != false else { return false }
        return try checkpoint(.truncate, connection).isComplete
    }

    /// Copies what readers allow from the WAL to the database file.
    ///
    /// - Returns: whether it is all there.
    func checkpointPassively() throws(StoreError) -> Bool {
        try checkpoint(.passive, openConnection()).isComplete
    }

    private func checkpoint(_ mode: CheckpointMode, _ connection: Connection) throws(StoreError) -> CheckpointResult {
        mark?.noteCheckpointBegins()
        let result = try mapped(connection.checkpoint(mode))
        if result.isComplete, !isHistoryUnwritten {
            mark?.noteLogIsCopied()
        }
        return result
    }

    /// Leaves database file and WAL of a damaged store as they are, and the WAL where it could not be emptied.
    ///
    /// - Parameter preservingFiles: leaves them as they are in any case.
    func close(preservingFiles: Bool = false) {
        if let connection {
            if preservingFiles || isDamaged() || (try? emptyLog()) != true {
                connection.preserveFiles()
            }
            connection.close()
        }
        connection = nil
        mark = nil
        reserve = nil
        statistics = Statistics(history: .none)
        fileUsage = [:]
        isHistoryUnwritten = false
        vaultToKeep = nil
        notedCommits = 0
        knownConversations.removeAll()
        openLogs.removeAll()
        keptKeys.forget()
        searchBacklog = SearchBacklog()
        needsHousekeeping = false
        hasRowsToRemove = false
        removalRetryDue = nil
        walEmptyingDue = nil
        checkpointPacing = CheckpointPacing()
        walFileBytes = 0
    }

    private static let beginText = StatementText("BEGIN IMMEDIATE")
}

/// A file that holds disk space back, so that deletes have room for their pages when the disk is full.
///
/// Used on the writer thread. It holds no data, and the store is whole without it: making it is tried, never required.
struct DiskReserve {
    private let path: String

    init(_ directory: StateDirectory) {
        path = directory.reserve
    }

    /// Makes the file if it is missing and the disk has room for all of it.
    ///
    /// - Returns: whether the space is held back now.
    @discardableResult
    func fill() -> Bool {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var status = stat()
        // A crash may have come before the file got its size.
        if fstat(descriptor, &status) == 0, status.st_size >= EngineLimits.diskReserveBytes {
            return true
        }
        guard posix_fallocate(descriptor, 0, off_t(EngineLimits.diskReserveBytes)) == 0 else {
            unlink(path)
            return false
        }
        return true
    }

    /// Whether the disk has room for writes: makes the file whole and tries to have more, because the free bytes that a
    /// file system tells leave out quotas.
    func findsRoomBeside() -> Bool {
        guard fill() else { return false }
        let descriptor = open(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        let end = off_t(EngineLimits.diskReserveBytes)
        let isThere = posix_fallocate(descriptor, end, off_t(EngineLimits.diskRoomBytesMin)) == 0
        // Also what a try that failed has taken.
        return ftruncate(descriptor, end) == 0 && isThere
    }

    /// Gives the space back to the file system.
    ///
    /// - Returns: false when there was none.
    func release() -> Bool {
        unlink(path) == 0
    }
}
