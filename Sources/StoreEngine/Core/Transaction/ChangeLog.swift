import SQLCipher
import StoreBasics

/// The rows of `changes`: the changes of each commit and the counters after it.
enum ChangeLog {
    /// The largest number of changes in one row; a larger commit has several rows.
    private static let entriesPerRowMax = 1_024
    /// The least difference between the time of a commit and its stamp, in microseconds, at which the stamp is stored.
    /// If they differ less, the time of the commit serves as the stamp, and the row stays small.
    private static let stampDifferenceMax: Int64 = 1_000_000

    /// Writes the transaction's changes and counters.
    static func write(_ transaction: Transaction) throws(StoreError) {
        let statistics = transaction.statistics
        var rest = transaction.changes.dropFirst(transaction.forgottenChangeCount)
        var first = statistics.revision - UInt64(rest.count) + 1
        let difference = transaction.now.microseconds - transaction.stampTime.microseconds
        let stampedAt = difference < stampDifferenceMax ? nil : transaction.stampTime
        while !rest.isEmpty {
            let slice = rest.prefix(entriesPerRowMax)
            rest = rest.dropFirst(slice.count)
            try transaction.connection.run(
                insertChanges, first, first + UInt64(slice.count) - 1, transaction.now, statistics.conversationCount,
                statistics.messageCount, statistics.contactCount, statistics.unreadCount, ChangeCodec.encode(slice),
                stampedAt)
            first += UInt64(slice.count)
        }
    }

    private static let insertChanges = StatementText(
        """
        INSERT INTO changes (first_revision, last_revision, committed_at, conversation_count, message_count,
            contact_count, unread_count, entries, stamped_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
        """)
}
