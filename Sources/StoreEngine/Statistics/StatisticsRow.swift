import SQLCipher

/// The counters as the last commit left them: they ride on the newest row of the change log, so that keeping them
/// exact costs no page of its own.
enum StatisticsRow {
    static func read(_ connection: Connection) throws(StoreError) -> Statistics {
        try mapped { () throws(SQLCipherError) in
            var statistics = Statistics()
            let newest = try connection.statement(newestCommit)
            defer { newest.reset() }
            if try newest.step() {
                statistics.revision = UInt64(max(0, newest.integer(0)))
                statistics.conversationCount = newest.int(1)
                statistics.messageCount = newest.int(2)
                statistics.contactCount = newest.int(3)
                statistics.unreadCount = newest.int(4)
            }
            let compacted = try connection.statement(compactedThrough)
            defer { compacted.reset() }
            if try compacted.step() {
                statistics.compactedThroughRevision = UInt64(max(0, compacted.integer(0)))
            }
            return statistics
        }
    }

    private static let newestCommit = StatementText(
        """
        SELECT last_revision, conversation_count, message_count, contact_count, unread_count FROM changes
        ORDER BY first_revision DESC LIMIT 1
        """)
    private static let compactedThrough = StatementText("SELECT compacted_through FROM store")
}
