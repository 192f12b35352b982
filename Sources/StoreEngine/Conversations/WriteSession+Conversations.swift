import SQLCipher
internal import StoreBasics

extension WriteSession {
    mutating func getOrCreateConversation(
        _ sessionID: SessionID, id: EntityID?, displayName: String?
    ) throws(StoreError) -> Receipt {
        try TextBounds.checkDisplayName(displayName)
        var receipt = Receipt()
        if let found = try findConversation(.session(sessionID)) {
            receipt.ids = [found.id.text]
        } else {
            let created = try createConversation(sessionID, id: id, displayName: displayName?.nilIfEmpty)
            receipt.ids = [created.id.text]
            receipt.created = 1
        }
        return receipt
    }

    mutating func updateConversation(
        _ reference: ConversationReference, _ update: ConversationUpdate
    ) throws(StoreError) -> Receipt {
        try TextBounds.checkDisplayName(update.displayName)
        try TextBounds.checkAvatar(update.avatar)
        let conversation = try conversation(reference)
        var receipt = Receipt()
        receipt.ids = [conversation.id.text]
        guard update != ConversationUpdate() else {
            return receipt
        }
        try connection.run(
            Self.updateConversation, conversation.number, update.displayName != nil, update.displayName?.nilIfEmpty,
            update.isPinned, update.isMuted, update.avatar.map { !$0.isEmpty }, now)
        if let avatar = update.avatar {
            try setAvatar(avatar, of: conversation.number, delete: Self.deleteAvatar, insert: Self.insertAvatar)
        }
        receipt.updated = 1
        record(.conversation, .updated, id: conversation.id.text, conversationID: conversation.id.text)
        return receipt
    }

    mutating func deleteConversation(_ reference: ConversationReference) throws(StoreError) -> Receipt {
        let conversation = try conversation(reference)
        let (messages, unread) = try counts(of: conversation.number)
        try connection.run(Self.deleteConversation, conversation.number)
        knownConversations.removeAll()
        statistics.conversationCount -= 1
        statistics.messageCount -= messages
        statistics.unreadCount -= unread
        removedContent = true
        record(.conversation, .deleted, id: conversation.id.text, conversationID: conversation.id.text)
        var receipt = Receipt()
        receipt.ids = [conversation.id.text]
        receipt.deleted = 1
        return receipt
    }

    private func counts(of conversation: Int64) throws(StoreError) -> (messages: Int, unread: Int) {
        guard let row = try connection.first(Self.conversationCounts, conversation) else { return (0, 0) }
        return (row.int(0), row.int(1))
    }

    /// Replaces an entity's avatar; an empty one removes it.
    func setAvatar(
        _ avatar: [UInt8], of number: Int64, delete: StatementText, insert: StatementText
    ) throws(StoreError) {
        try connection.run(delete, number)
        guard !avatar.isEmpty else { return }
        try connection.run(insert, number, avatar)
    }

    private static let updateConversation = StatementText(
        """
        UPDATE conversations SET
            display_name = CASE WHEN ?2 THEN ?3 ELSE display_name END,
            is_pinned = ifnull(?4, is_pinned),
            is_muted = ifnull(?5, is_muted),
            has_avatar = ifnull(?6, has_avatar),
            updated_at = ?7
        WHERE number = ?1
        """)
    private static let conversationCounts = StatementText(
        "SELECT message_count, unread_count FROM conversations WHERE number = ?1")
    private static let deleteConversation = StatementText("DELETE FROM conversations WHERE number = ?1")
    private static let deleteAvatar = StatementText("DELETE FROM conversation_avatars WHERE conversation = ?1")
    private static let insertAvatar = StatementText("INSERT INTO conversation_avatars VALUES (?1, ?2)")
}

extension String {
    var nilIfEmpty: String? {
        isEmpty ? nil : self
    }
}
