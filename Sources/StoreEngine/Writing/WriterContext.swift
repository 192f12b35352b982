import SQLCipher

/// What only the writer thread touches: the one read-write connection and what it knows of the store.
final class WriterContext {
    /// `nil` while no store is open.
    var connection: Connection?
    var statistics = Statistics()
    var knownConversations = ConversationNumberCache()
    let openLogs = OpenLogs()
    /// The WAL holds commits that are not in the database file yet.
    var isWALDirty = false
    /// When content was first removed that the WAL still holds.
    var contentRemovedAt: ContinuousClock.Instant?
    var idempotencyTrimmer = IdempotencyTrimmer()
    var appendKeys = AppendKeys()
    /// Space for deletes on a full disk; `nil` while no store is open.
    var reserve: DiskReserve?

    /// - Throws: `.storeLocked` while no store is open.
    func openConnection() throws(StoreError) -> Connection {
        guard let connection else {
            throw StoreError(.storeLocked, "the store is locked; unlock it first")
        }
        return connection
    }

    func close() {
        connection?.close()
        connection = nil
        reserve = nil
        statistics = Statistics()
        knownConversations.removeAll()
        openLogs.removeAll()
        isWALDirty = false
        contentRemovedAt = nil
    }
}
