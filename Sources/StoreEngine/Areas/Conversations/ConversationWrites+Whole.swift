import SQLCipher
import StoreBasics

/// Reads and replaces whole conversations, for archives and replication.
extension ConversationWrites {
    /// Saves a whole conversation: replaces the stored conversation that has its session id, or creates one. Does
    /// nothing if the stored conversation is equal.
    func replace(_ conversation: WholeConversation) throws(StoreError) {
        let present = try whole(conversation.sessionID)
        if let present, present.conversation.isSame(as: conversation) { return }
        try put(conversation, over: present, conversation.retention)
    }

    /// Replaces an existing conversation, or creates one. The id and the creation time of an existing conversation
    /// stay.
    ///
    /// - Parameters:
    ///   - present: The result of `whole` for the session id.
    ///   - retention: The retention that the conversation gets.
    func put(
        _ conversation: WholeConversation, over present: (number: Int64, conversation: WholeConversation)?,
        _ retention: ConversationRetention
    ) throws(StoreError) {
        let number: Int64
        if let present {
            number = present.number
        } else {
            number = try insert(conversation)
        }
        try connection.run(
            Self.fillConversation, number, conversation.displayName?.nilIfEmpty, conversation.isPinned,
            conversation.isMuted, conversation.hasAvatar, conversation.updatedAt, conversation.kind?.nilIfEmpty,
            conversation.metadata != nil)
        try LargeValueRows.conversationAvatars.set(conversation.avatar ?? [], of: number, connection)
        try LargeValueRows.conversationMetadata.set(conversation.metadata?.bytes ?? [], of: number, connection)
        let presentRetention = present?.conversation.retention
        if retention != presentRetention ?? ConversationRetention() {
            try set(retention, of: number)
        }
        if let present {
            removedContent = true
            record(.conversation, .updated, id: present.conversation.id.text, kindName: conversation.kind)
        }
    }

    /// - Returns: The number of the new row.
    private func insert(_ conversation: WholeConversation) throws(StoreError) -> Int64 {
        let number = Int64(nextRevision)
        var id = conversation.id
        if try !connection.runUnlessDuplicate(
            Self.insertRestoredConversation, number, id, conversation.sessionID, conversation.createdAt,
            conversation.updatedAt)
        {
            id = .fresh()
            try connection.run(
                Self.insertRestoredConversation, number, id, conversation.sessionID, conversation.createdAt,
                conversation.updatedAt)
        }
        statistics.conversationCount += 1
        record(.conversation, .created, id: id.text, kindName: conversation.kind)
        return number
    }

    /// Returns the whole conversation that has a session id, and the number of its row; `nil` if there is none.
    func whole(
        _ sessionID: SessionID
    ) throws(StoreError) -> (number: Int64, conversation: WholeConversation)? {
        guard let row = try connection.first(WholeConversation.bySessionID, sessionID) else { return nil }
        return (row.integer(0), try WholeConversation(row))
    }

    private static let insertRestoredConversation = StatementText(
        """
        INSERT INTO conversations (number, id, session_id, created_at, updated_at, last_activity_at)
        VALUES (?1, ?2, ?3, ?4, ?5, ?4)
        """)
    private static let fillConversation = StatementText(
        """
        UPDATE OR FAIL conversations SET
            display_name = ?2, is_pinned = ?3, is_muted = ?4, has_avatar = ?5, updated_at = ?6, kind = ?7,
            has_metadata = ?8
        WHERE number = ?1
        """)
}

extension WholeConversation {
    static let selectSQL = """
        SELECT c.number, c.id, c.session_id, c.display_name, c.is_pinned, c.is_muted, c.created_at, c.updated_at,
            a.data, \(ConversationRetention.columns), c.kind, d.data
        FROM conversations AS c LEFT JOIN conversation_avatars AS a ON a.conversation = c.number
        LEFT JOIN conversation_metadata AS d ON d.conversation = c.number
        """
    static let bySessionID = StatementText(selectSQL + " WHERE c.session_id = ?1")

    /// - Parameter row: A row of `selectSQL`.
    init(_ row: borrowing Rows) throws(StoreError) {
        self.init(
            id: try row.name(1), sessionID: try row.name(2), displayName: try row.optionalText(3),
            avatar: row.isNull(8) ? nil : row.bytes(8), isPinned: row.bool(4), isMuted: row.bool(5),
            retention: try row.conversationRetention(9), createdAt: row.timestamp(6), updatedAt: row.timestamp(7),
            kind: try row.optionalText(13), metadata: row.metadata(14))
    }
}
