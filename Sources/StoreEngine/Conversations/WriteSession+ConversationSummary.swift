import SQLCipher
internal import StoreBasics

/// Keeps a conversation's counts, last message and place in the list right.
extension WriteSession {
    /// A new message has been inserted.
    func summarizeInsertion(
        conversation: Int64, timestamp: Timestamp, sequence: Int64, isUnread: Bool
    ) throws(StoreError) {
        try connection.run(Self.addMessage, conversation, timestamp, sequence, isUnread, now)
    }

    /// Messages went, came or changed their place: adjusts the counts and looks the last message up again.
    func summarizeChange(conversation: Int64, messages: Int, unread: Int) throws(StoreError) {
        try connection.run(Self.recomputeLastMessage, conversation, messages, unread, now)
    }

    /// Only the number of unread messages changed.
    func summarizeRead(conversation: Int64, unread: Int) throws(StoreError) {
        try connection.run(Self.adjustUnread, conversation, unread)
    }

    private static let addMessage = StatementText(
        """
        UPDATE conversations SET
            message_count = message_count + 1,
            unread_count = unread_count + ?4,
            last_activity_at = CASE WHEN last_message_at IS NULL OR last_message_at <= ?2
                THEN ?2 ELSE last_activity_at END,
            last_message_sequence = CASE WHEN last_message_at IS NULL OR last_message_at < ?2
                    OR (last_message_at = ?2 AND last_message_sequence < ?3)
                THEN ?3 ELSE last_message_sequence END,
            last_message_at = CASE WHEN last_message_at IS NULL OR last_message_at < ?2
                THEN ?2 ELSE last_message_at END,
            updated_at = ?5
        WHERE number = ?1
        """)
    private static let recomputeLastMessage = StatementText(
        """
        UPDATE conversations SET
            message_count = message_count + ?2,
            unread_count = unread_count + ?3,
            last_message_at = (SELECT timestamp FROM messages WHERE conversation = ?1
                ORDER BY timestamp DESC, sequence DESC LIMIT 1),
            last_message_sequence = (SELECT sequence FROM messages WHERE conversation = ?1
                ORDER BY timestamp DESC, sequence DESC LIMIT 1),
            last_activity_at = ifnull((SELECT timestamp FROM messages WHERE conversation = ?1
                ORDER BY timestamp DESC, sequence DESC LIMIT 1), created_at),
            updated_at = ?4
        WHERE number = ?1
        """)
    private static let adjustUnread = StatementText(
        "UPDATE conversations SET unread_count = unread_count + ?2 WHERE number = ?1")
}
