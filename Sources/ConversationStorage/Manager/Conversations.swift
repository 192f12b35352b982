import StoreClient

extension StorageManager {
    /// The conversation with a party, made when there is none.
    public func getOrCreateConversation(
        withSessionID sessionID: String, displayName: String? = nil
    ) async throws(StorageError) -> Conversation {
        try await storing(isSave: true) { () throws(StoreClientError) in
            Conversation(try await client.getOrCreateConversation(sessionID: sessionID, displayName: displayName))
        }
    }

    /// - Throws: `.conversationNotFound`.
    public func getConversation(
        withSessionID sessionID: String, includeAvatar: Bool = false
    ) async throws(StorageError) -> Conversation {
        try await storing { () throws(StoreClientError) in
            Conversation(try await client.conversation(.sessionID(sessionID), includeAvatar: includeAvatar))
        }
    }

    /// - Throws: `.conversationNotFound`.
    public func getConversation(
        id: String, includeAvatar: Bool = false
    ) async throws(StorageError) -> Conversation {
        try await storing { () throws(StoreClientError) in
            Conversation(try await client.conversation(.id(id), includeAvatar: includeAvatar))
        }
    }

    /// Every conversation: pinned ones first, each part newest activity first.
    public func getAllConversations() async throws(StorageError) -> [Conversation] {
        try await storing { () throws(StoreClientError) in
            var all: [Conversation] = []
            var cursor: String?
            repeat {
                let page = try await client.conversationPage(limit: 1_000, cursor: cursor)
                all += page.conversations.map { Conversation($0) }
                cursor = page.nextCursor
            } while cursor != nil
            return all
        }
    }

    /// Gives the conversation a name; `nil` takes it away.
    public func updateConversation(
        withSessionID sessionID: String, displayName: String?
    ) async throws(StorageError) {
        try await update(sessionID, ConversationUpdate(displayName: displayName.map { .set($0) } ?? .remove))
    }

    /// Gives the conversation an avatar of at most 4 MiB; `nil` takes it away.
    public func updateConversation(
        withSessionID sessionID: String, avatarData: [UInt8]?
    ) async throws(StorageError) {
        try await update(sessionID, ConversationUpdate(avatar: avatarData.map { .set($0) } ?? .remove))
    }

    public func setConversationPinned(
        _ isPinned: Bool, forSessionID sessionID: String
    ) async throws(StorageError) {
        try await update(sessionID, ConversationUpdate(isPinned: isPinned))
    }

    public func setConversationMuted(
        _ isMuted: Bool, forSessionID sessionID: String
    ) async throws(StorageError) {
        try await update(sessionID, ConversationUpdate(isMuted: isMuted))
    }

    /// Marks every message of it read.
    public func markConversationAsRead(withSessionID sessionID: String) async throws(StorageError) {
        try await storing(isSave: true) { () throws(StoreClientError) in
            try await client.markConversationRead(.sessionID(sessionID))
        }
    }

    /// Deletes it and its messages.
    public func deleteConversation(withSessionID sessionID: String) async throws(StorageError) {
        try await storing(isSave: true) { () throws(StoreClientError) in
            try await client.deleteConversation(.sessionID(sessionID))
        }
    }

    private func update(_ sessionID: String, _ update: ConversationUpdate) async throws(StorageError) {
        try await storing(isSave: true) { () throws(StoreClientError) in
            try await client.updateConversation(.sessionID(sessionID), update)
        }
    }
}
