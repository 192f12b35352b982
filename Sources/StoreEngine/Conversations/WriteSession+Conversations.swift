import SQLCipher
internal import StoreBasics

extension WriteSession {
    mutating func getOrCreateConversation(
        _ sessionID: SessionID, id: EntityID?, displayName: String?
    ) throws(StoreError) -> Conversation {
        try TextBounds.checkDisplayName(displayName)
        if try findConversation(.session(sessionID)) == nil {
            _ = try createConversation(sessionID, id: id, displayName: displayName?.nilIfEmpty)
        }
        let conversation = try mapped { () throws(SQLCipherError) in
            try StoreReader.conversation(.session(sessionID), includeAvatar: false, in: connection)
        }
        guard let conversation else {
            throw .databaseDamaged("a conversation is not where it was found")
        }
        return conversation
    }

    mutating func updateConversation(
        _ reference: ConversationReference, _ update: ConversationUpdate
    ) throws(StoreError) -> Commit {
        try TextBounds.checkDisplayName(update.displayName)
        try TextBounds.checkAvatar(update.avatar)
        let conversation = try conversation(reference)
        var commit = Commit()
        commit.ids = [conversation.id.text]
        guard update != ConversationUpdate() else {
            return commit
        }
        let statement = try statement(Self.updateConversation)
        statement.bind(1, conversation.number)
        statement.bind(2, update.displayName != nil)
        statement.bind(3, update.displayName?.nilIfEmpty)
        statement.bind(4, update.isPinned.map { $0 ? 1 : 0 })
        statement.bind(5, update.isMuted.map { $0 ? 1 : 0 })
        statement.bind(6, update.avatar.map { $0.isEmpty ? 0 : 1 })
        statement.bind(7, now.microseconds)
        try mapped { () throws(SQLCipherError) in
            try statement.run()
            if let avatar = update.avatar {
                try setAvatar(avatar, of: conversation.number, delete: Self.deleteAvatar, insert: Self.insertAvatar)
            }
        }
        commit.updatedCount = 1
        record(.conversation, .updated, id: conversation.id.text)
        return commit
    }

    mutating func deleteConversation(_ reference: ConversationReference) throws(StoreError) -> Commit {
        let conversation = try conversation(reference)
        let counts = try statement(Self.conversationCounts)
        counts.bind(1, conversation.number)
        let (messages, unread) = try mapped { () throws(SQLCipherError) in
            defer { counts.reset() }
            _ = try counts.step()
            return (counts.int(0), counts.int(1))
        }
        let delete = try statement(Self.deleteConversation)
        delete.bind(1, conversation.number)
        try mapped { () throws(SQLCipherError) in try delete.run() }
        knownConversations.removeAll()
        statistics.conversationCount -= 1
        statistics.messageCount -= messages
        statistics.unreadCount -= unread
        removedContent = true
        record(.conversation, .deleted, id: conversation.id.text)
        var commit = Commit()
        commit.ids = [conversation.id.text]
        commit.deletedCount = 1
        return commit
    }

    /// Replaces an entity's avatar; an empty one removes it.
    func setAvatar(
        _ avatar: [UInt8], of number: Int64, delete: StatementText, insert: StatementText
    ) throws(SQLCipherError) {
        let deleteStatement = try connection.statement(delete)
        deleteStatement.bind(1, number)
        try deleteStatement.run()
        guard !avatar.isEmpty else { return }
        let insertStatement = try connection.statement(insert)
        insertStatement.bind(1, number)
        insertStatement.bind(2, avatar)
        try insertStatement.run()
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
