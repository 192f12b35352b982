import SQLCipher
import StoreBasics

/// What new messages change in the rows of their conversations, while the rows wait: the journal has a statement for
/// each message, and one for each conversation does the same to the database, before its pages are committed or anybody
/// on this connection looks at the row.
///
/// The first message of a conversation changes its row at once, so that damage of the row is met before the message is
/// answered. Lives with the writer's context; what is rolled back comes from the journal, statement by statement.
final class NewMessageSums: TransactionCache {
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

    /// Of those whose rows wait. With 0 none does.
    var conversationsMax = 1_024
    /// More rows would keep a thread that has other things to do.
    private static let shortMax = 32

    /// Those without messages have their rows changed already.
    private var sums: [Int64: Sum] = [:]
    private var waiting = 0
    /// Rows written here, as the connection counts them.
    private var rowsWritten = 0

    /// True if rows wait.
    var isWaiting: Bool { waiting > 0 }

    /// They are to be written now.
    var isFull: Bool { waiting >= conversationsMax }

    /// They may be written on a thread that has other things to do.
    var isShort: Bool { waiting <= Self.shortMax }

    /// The row of the conversation was changed since the last commit of pages.
    func hasBegun(_ conversation: Int64) -> Bool { sums[conversation] != nil }

    func begin(_ row: MessageRow, now: Timestamp) {
        sums[row.conversation] = Sum(newest: MessageCursor(timestamp: row.timestamp, id: row.id), updatedAt: now)
    }

    /// - Precondition: its conversation has begun.
    func add(_ row: MessageRow, now: Timestamp) {
        if sums[row.conversation]?.messages == 0 {
            waiting += 1
        }
        sums[row.conversation]?.add(row, now: now)
    }

    /// Rows written on the connection but for those written here, which the journal has as those of the messages.
    func rowsWrittenByRequests(_ connection: Connection) -> Int { connection.totalChanges - rowsWritten }

    func removeAll() {
        sums.removeAll(keepingCapacity: true)
        waiting = 0
    }

    /// The rows wait for the commit of the pages.
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
    /// Changes the rows in the order of their numbers.
    ///
    /// - Throws: what the database throws; the transaction cannot become a record then, and is rolled back.
    func write(_ connection: Connection) throws(StoreError) {
        defer { removeAll() }
        guard waiting > 0 else { return }
        let writtenBefore = connection.totalChanges
        defer { rowsWritten += connection.totalChanges - writtenBefore }
        guard let recorder = connection.recorder else { return try writeRows(connection) }
        do throws(StoreError) {
            try recorder.whilePaused { () throws(StoreError) in try writeRows(connection) }
        } catch {
            recorder.noteFailure()
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

    /// Of one message or of many: the counts add up, and of the places the newest counts.
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
