import SQLCipher
import StoreBasics

/// The pending changes that new messages make in the rows of their conversations.
///
/// The journal contains one statement for each message. In the database, one statement for each conversation has the
/// same effect. It runs before the pages are committed, and before anything on this connection reads the row.
///
/// The first message of a conversation after a commit of pages changes the conversation's row at once, so that a
/// damaged row is detected before the message is acknowledged. This object belongs to the writer. After a rollback, the
/// changes are replayed from the journal, statement by statement.
final class NewMessageSums: TransactionCache, DeferredRows {
    struct Sum: Equatable {
        var messages = 0
        var unread = UnreadCounts()
        /// The timestamp and id of the newest message.
        var newest: MessageCursor
        var updatedAt: Timestamp

        mutating func add(_ row: MessageRow, now: Timestamp) {
            messages += 1
            unread.add(isOutgoing: row.isOutgoing, isRead: row.isRead)
            newest = max(newest, MessageCursor(timestamp: row.timestamp, id: row.id))
            updatedAt = now
        }
    }

    /// The most conversations with pending changes. With 0, every change is written at once.
    var conversationsMax = 1_024
    /// The number of pending rows up to which a caller's thread may write them itself.
    private static let shortMax = 32

    /// The sums by conversation. A sum without messages has no pending change.
    private var sums: [Int64: Sum] = [:]
    /// The number of conversations with pending changes.
    private(set) var waiting = 0
    /// The number of rows that `write` has written on the connection.
    private var rowsWritten = 0

    /// True if the pending changes have to be written now.
    var isFull: Bool { waiting >= conversationsMax }

    /// True if so few rows are pending that a caller's thread may write them itself, without waiting for the writer's
    /// thread.
    var isShort: Bool { waiting <= Self.shortMax }

    /// Returns whether the row of the conversation was changed since the last commit of pages.
    func hasBegun(_ conversation: Int64) -> Bool { sums[conversation] != nil }

    func begin(_ row: MessageRow, now: Timestamp) {
        sums[row.conversation] = Sum(newest: MessageCursor(timestamp: row.timestamp, id: row.id), updatedAt: now)
    }

    /// Adds a message to the sum of its conversation.
    ///
    /// - Precondition: `hasBegun` is true for the conversation.
    func add(_ row: MessageRow, now: Timestamp) {
        if sums[row.conversation]?.messages == 0 {
            waiting += 1
        }
        sums[row.conversation]?.add(row, now: now)
    }

    /// Returns the number of rows that requests have written on the connection. The rows that `write` has written do
    /// not count, because the journal contains the statements of the messages instead.
    func rowsWrittenByRequests(_ connection: Connection) -> Int { connection.totalChanges - rowsWritten }

    func removeAll() {
        sums.removeAll(keepingCapacity: true)
        waiting = 0
    }

    /// Does nothing: the changes stay pending until the pages are committed.
    func committed() {}

    func rolledBack(_ extent: RollbackExtent) {
        switch extent {
        case .nothing: break
        case .transaction: removeAll()
        }
    }

    func closed() {
        removeAll()
    }
}

extension NewMessageSums {
    /// Writes the pending changes, in the order of the conversations' numbers.
    ///
    /// - Throws: The database's error. The transaction is then rolled back, and must not become a record of the
    ///   journal.
    func write(_ connection: Connection) throws(StoreError) {
        defer { removeAll() }
        guard waiting > 0 else { return }
        let writtenBefore = connection.totalChanges
        defer { rowsWritten += connection.totalChanges - writtenBefore }
        guard let recorder = connection.recorder else { return try writeRows(connection) }
        do throws(StoreError) {
            try recorder.whilePaused { () throws(StoreError) in try writeRows(connection) }
        } catch {
            recorder.recordFailure()
            throw error
        }
    }

    private func writeRows(_ connection: Connection) throws(StoreError) {
        for (conversation, sum) in sums.sorted(by: { $0.key < $1.key }) where sum.messages > 0 {
            let writtenBefore = connection.totalChanges
            try connection.run(
                Self.addMessages, conversation, sum.newest.timestamp, sum.newest.id, sum.unread.incoming,
                sum.unread.outgoing, sum.updatedAt, sum.messages)
            guard connection.totalChanges != writtenBefore else {
                throw .databaseDamaged("a conversation with new messages is missing")
            }
        }
    }

    /// Adds one message or the sum of several: the counts are added, and the newest message becomes the last one.
    static let addMessages = StatementText(
        """
        UPDATE OR FAIL conversations SET
            message_count = message_count + ?7,
            unread_count = unread_count + ?4,
            unread_outgoing_count = unread_outgoing_count + ?5,
            last_activity_at = CASE WHEN last_message_at IS NULL OR last_message_at <= ?2
                THEN ?2 ELSE last_activity_at END,
            last_message_id = CASE WHEN last_message_at IS NULL OR last_message_at < ?2
                    OR (last_message_at = ?2 AND last_message_id < ?3)
                THEN ?3 ELSE last_message_id END,
            last_message_at = CASE WHEN last_message_at IS NULL OR last_message_at < ?2
                THEN ?2 ELSE last_message_at END,
            updated_at = ?6
        WHERE number = ?1
        """)
}
