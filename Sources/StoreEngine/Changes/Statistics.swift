import SQLCipher

/// Exact counts, kept with every commit.
package struct Statistics: Hashable, Sendable {
    package var conversationCount: Int = 0
    package var messageCount: Int = 0
    package var contactCount: Int = 0
    package var unreadCount: Int = 0
    /// The revision of the last committed change; 0 for a new store.
    package var revision: UInt64 = 0
    /// Changes with a greater revision are still kept.
    package var compactedThroughRevision: UInt64 = 0

    package init() {}
}

/// The counters as the last commit left them: they ride on the newest row of the change log, so that keeping them
/// exact costs no page of its own.
enum StatisticsRow {
    static func read(_ connection: Connection) throws(StoreError) -> Statistics {
        var statistics = Statistics()
        if let newest = try connection.first(newestCommit) {
            statistics.revision = newest.unsigned(0)
            statistics.conversationCount = newest.int(1)
            statistics.messageCount = newest.int(2)
            statistics.contactCount = newest.int(3)
            statistics.unreadCount = newest.int(4)
        }
        statistics.compactedThroughRevision = try connection.first(compactedThrough)?.unsigned(0) ?? 0
        return statistics
    }

    private static let newestCommit = StatementText(
        """
        SELECT last_revision, conversation_count, message_count, contact_count, unread_count FROM changes
        ORDER BY first_revision DESC LIMIT 1
        """)
    private static let compactedThrough = StatementText("SELECT compacted_through FROM store")
}
