import SQLCipher
import StoreBasics

/// The part of a transaction that deletes expired messages, and messages that the retention rules of their
/// conversations no longer keep.
struct DueMessages: TransactionWork {
    let transaction: Transaction
    let messages: MessageWrites
    let attachments: AttachmentWrites
    let expiries: ExpiryWrites

    /// Deletes due messages, a step at a time: first the messages whose timers have run out, then the messages that the
    /// retention rules of their conversations no longer keep, then the contents of attachments whose grace period is
    /// over. Each deletion of a message is a change of its own.
    func removeDueMessages() throws(StoreError) -> WorkStep<Commit> {
        if try ClockRow.isNeeded(connection) {
            try expiries.keepAnchor()
        }
        // Use the same age for deleting and for scheduling, so that no message becomes due between these two steps and
        // is missed.
        let age = clock.age
        let expired = try expiries.expiredHeads(at: age, atMost: EngineLimits.stepRowsMax)
        var removedCount = expired.count
        try messages.delete(expired, because: .timer)
        while removedCount < EngineLimits.stepRowsMax, !slice.isOver, let due = try nextDueConversation() {
            removedCount += try removeOldest(of: due, atMost: EngineLimits.stepRowsMax - removedCount)
        }
        removedCount += try attachments.removeExpiredContents(at: age, atMost: EngineLimits.stepRowsMax - removedCount)
        guard removedCount < EngineLimits.stepRowsMax, !slice.isOver else { return .unfinished(ProgressFoundAnew()) }
        if let next = try expiries.nextExpiry(after: age) {
            expiries.scheduleRetention(dueAt: next, orAnchorAt: age)
        }
        if let next = try AttachmentContents.nextExpiry(after: age, connection) {
            expiries.scheduleRetention(dueAt: next, orAnchorAt: age)
        }
        if let time = try connection.first(Self.firstDue)?.optionalInteger(0) {
            expiries.scheduleRetention(
                dueAt: try expiries.deletionAge(of: Timestamp(microseconds: time)), orAnchorAt: age)
        }
        var commit = Commit()
        commit.deletedCount = removedCount
        return .done(commit)
    }

    private struct DueConversation {
        let number: Int64
        let keepsFrom: Timestamp?
        let keepFor: RetentionPeriod?
        /// The number of messages above `keepCount`.
        let excess: Int
    }

    private func nextDueConversation() throws(StoreError) -> DueConversation? {
        let now = try expiries.deletionTime
        guard let row = try connection.first(Self.dueConversation, now) else { return nil }
        let retention = try row.conversationRetention(2)
        return DueConversation(
            number: row.integer(0),
            keepsFrom: retention.keepFor.map { now.advanced(byMicroseconds: -$0.microseconds) },
            keepFor: retention.keepFor,
            excess: max(0, Int(try row.count(1)) - (retention.keepCount.map { Int($0) } ?? .max)))
    }

    /// Deletes messages that the retention rules of their conversation no longer keep. If no such message is left,
    /// records when the next message will be due.
    ///
    /// - Returns: The number of deleted messages.
    private func removeOldest(of due: DueConversation, atMost count: Int) throws(StoreError) -> Int {
        let rows = try connection.rows(Self.oldestHeads, due.number, count + 1)
        var heads: [MessageHead] = []
        var nextDue: Timestamp?
        var isDone = true
        while try rows.next() {
            let head = try MessageHead(rows)
            guard heads.count < due.excess || due.keepsFrom.map({ head.timestamp <= $0 }) ?? false else {
                nextDue = due.keepFor.map { head.timestamp.advanced(byMicroseconds: $0.microseconds) }
                break
            }
            guard heads.count < count else {
                isDone = false
                break
            }
            heads.append(head)
        }
        try messages.delete(heads, because: .retention)
        if isDone {
            try connection.run(Self.setDue, due.number, nextDue)
        }
        return heads.count
    }

    private static let firstDue = StatementText(
        "SELECT min(retention_due_at) FROM conversations WHERE retention_due_at IS NOT NULL")
    private static let dueConversation = StatementText(
        """
        SELECT number, message_count, \(ConversationRetention.columns) FROM conversations
        WHERE retention_due_at IS NOT NULL AND retention_due_at <= ?1 ORDER BY retention_due_at LIMIT 1
        """)
    private static let oldestHeads = StatementText(
        """
        SELECT \(MessageHead.columns), c.id
        FROM conversations AS c CROSS JOIN messages AS m ON m.conversation = c.number
        WHERE c.number = ?1 AND m.conversation = ?1 ORDER BY m.timestamp, m.id LIMIT ?2
        """)
    private static let setDue = StatementText(
        "UPDATE OR FAIL conversations SET retention_due_at = ?2 WHERE number = ?1")
}
