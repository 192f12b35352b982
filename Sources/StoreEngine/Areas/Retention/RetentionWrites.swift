import SQLCipher
import StoreBasics

/// The part of a transaction that schedules the deletion of a conversation's oldest messages.
struct RetentionWrites: TransactionWork {
    let transaction: Transaction
    let conversations: ConversationWrites
    let expiries: ExpiryWrites

    /// Records when the oldest messages of a conversation have to be deleted, after a message was saved to the
    /// conversation.
    func scheduleOldestDeletion(_ row: MessageRow, under retention: ConversationRetention) throws(StoreError) {
        guard retention.deletesOldest else { return }
        try conversations.writeSums()
        let due = retention.keepFor.map { row.timestamp.advanced(byMicroseconds: $0.microseconds) }
        let changesBefore = connection.totalChanges
        try connection.run(Self.scheduleOldestDeletion, row.conversation, due)
        guard connection.totalChanges != changesBefore,
            let time = try connection.first(Self.dueOf, row.conversation)?.optionalInteger(0)
        else { return }
        expiries.scheduleRetention(
            dueAt: try expiries.deletionAge(of: Timestamp(microseconds: time)), orAnchorAt: clock.age)
    }

    /// Returns whether a message from another device would be deleted at once, because the conversation keeps only
    /// younger messages, or already has as many later messages as it keeps. This store may have had the message and
    /// deleted it for the same reason.
    func isDue(
        _ timestamp: Timestamp, _ id: EntityID, inConversationOf sessionID: String
    ) throws(StoreError) -> Bool {
        guard let conversation = try conversations.findConversation(.session(SessionID(trusted: sessionID))) else {
            return false
        }
        let retention = conversation.retention
        if let keepFor = retention.keepFor,
            timestamp.advanced(byMicroseconds: keepFor.microseconds) <= (try expiries.deletionTime)
        {
            return true
        }
        guard let keepCount = retention.keepCount else { return false }
        try conversations.writeSums()
        guard let oldest = try connection.first(Self.oldestKept, conversation.number, Int64(keepCount))
        else { return false }
        let place = (oldest.timestamp(0), try oldest.text(1))
        return timestamp == place.0 ? !place.1.utf8.lexicographicallyPrecedes(id.text.utf8) : timestamp < place.0
    }

    private static let scheduleOldestDeletion = StatementText(
        """
        UPDATE OR FAIL conversations SET
            retention_due_at = CASE WHEN message_count > keep_count THEN \(Int64.min) ELSE ?2 END
        WHERE number = ?1 AND (message_count > keep_count OR ?2 < ifnull(retention_due_at, \(Int64.max)))
        """)
    private static let dueOf = StatementText("SELECT retention_due_at FROM conversations WHERE number = ?1")
    /// Selects the oldest message of a conversation if the conversation has at least `?2` messages.
    private static let oldestKept = StatementText(
        """
        SELECT m.timestamp, m.id FROM conversations AS c CROSS JOIN messages AS m ON m.conversation = c.number
        WHERE c.number = ?1 AND m.conversation = ?1 AND c.message_count >= ?2 ORDER BY m.timestamp, m.id LIMIT 1
        """)
}

extension ConversationWrites {
    func set(_ retention: ConversationRetention, of conversation: Int64) throws(StoreError) {
        try connection.run(
            Self.setRetention, conversation, retention.messageTimer?.lifetime.microseconds,
            retention.messageTimer.map { Int64($0.start.rawValue) }, retention.keepFor?.microseconds,
            retention.keepCount.map { Int64($0) }, retention.deletesOldest ? Int64.min : nil)
        knownConversations.removeAll()
        if retention.deletesOldest {
            expiries.scheduleRetention(dueAt: clock.age)
        }
    }

    private static let setRetention = StatementText(
        """
        UPDATE OR FAIL conversations SET
            message_lifetime = ?2, message_lifetime_from = ?3, keep_for = ?4, keep_count = ?5,
            retention_due_at = ?6
        WHERE number = ?1
        """)
}
