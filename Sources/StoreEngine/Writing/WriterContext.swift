import SQLCipher

/// What only the writer thread touches: the one read-write connection and what it knows of the store.
final class WriterContext {
    /// `nil` while no store is open.
    var connection: Connection?
    var statistics = Statistics()
    var knownConversations = ConversationNumberCache()
    let openLogs = OpenLogs()
    /// Something was written since the WAL, the reserve and the caches were last looked after.
    var needsHousekeeping = false
    /// When the WAL is to be emptied at the latest, because it may hold content that was removed; `nil` when it holds
    /// none.
    var walEmptyingDue: ContinuousClock.Instant?
    var checkpointPacing = CheckpointPacing()
    /// The disk had no room for a write, and has not been found to have room again.
    var isDiskFull = false
    var idempotencyTrimmer = IdempotencyTrimmer()
    /// Space for deletes on a full disk; `nil` while no store is open.
    var reserve: DiskReserve?
    private let isDamaged: () -> Bool

    /// - Parameter isDamaged: whether damage was met since the store was opened.
    init(isDamaged: @escaping () -> Bool) {
        self.isDamaged = isDamaged
    }

    /// There is something to do when nothing else is.
    var wantsIdleTime: Bool {
        connection != nil && (needsHousekeeping || isDiskFull)
    }

    /// - Throws: `.storeLocked` while no store is open.
    func openConnection() throws(StoreError) -> Connection {
        guard let connection else {
            throw StoreError(.storeLocked, "the store is locked; unlock it first")
        }
        return connection
    }

    /// The WAL holds content that is gone from the store.
    func noteRemovedContent() {
        walEmptyingDue = walEmptyingDue ?? .now + .seconds(WALHousekeeping.removedContentSeconds)
    }

    /// Leaves database file and WAL of a damaged store as they are.
    func close() {
        if isDamaged() {
            connection?.preserveFiles()
        }
        connection?.close()
        connection = nil
        reserve = nil
        statistics = Statistics()
        knownConversations.removeAll()
        openLogs.removeAll()
        needsHousekeeping = false
        walEmptyingDue = nil
        checkpointPacing = CheckpointPacing()
    }
}
