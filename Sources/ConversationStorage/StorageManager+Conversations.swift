public import StoreClient

/// Conversations. Writing to a missing conversation throws ``StorageError/conversationNotFound``. Other errors are
/// ``StorageError/failed(_:)`` for reads and ``StorageError/saveFailed(_:)`` for writes. A change is on disk when the
/// function returns.
extension StorageManager {
    /// Returns the conversation with a session id; creates it if it does not exist.
    ///
    /// - Parameters:
    ///   - sessionID: the session id, 1 to 256 bytes.
    ///   - displayName: the name of a new conversation; an existing one keeps its name.
    public func getOrCreateConversation(
        withSessionID sessionID: String, displayName: String? = nil
    ) async throws(StorageError) -> Conversation {
        try await saving { () throws(StoreClientError) in
            try await client.getOrCreateConversation(sessionID: sessionID, displayName: displayName)
        }
    }

    /// Returns the conversation with a session id.
    ///
    /// - Parameters:
    ///   - sessionID: the session id.
    ///   - includeAvatar: if true, the conversation includes its picture.
    /// - Throws: ``StorageError/conversationNotFound``.
    public func getConversation(
        withSessionID sessionID: String, includeAvatar: Bool = false
    ) async throws(StorageError) -> Conversation {
        try await reading { () throws(StoreClientError) in
            try await client.conversation(.sessionID(sessionID), includeAvatar: includeAvatar)
        }
    }

    /// Returns the conversation with an id.
    ///
    /// - Parameters:
    ///   - id: the value of `Conversation.id`.
    ///   - includeAvatar: if true, the conversation includes its picture.
    /// - Throws: ``StorageError/conversationNotFound``.
    public func getConversation(id: String, includeAvatar: Bool = false) async throws(StorageError) -> Conversation {
        try await reading { () throws(StoreClientError) in
            try await client.conversation(.id(id), includeAvatar: includeAvatar)
        }
    }

    /// Returns all conversations without their pictures: first the pinned ones, then the others, each with the newest
    /// activity first.
    public func getAllConversations() async throws(StorageError) -> [Conversation] {
        try await reading { () throws(StoreClientError) in try await client.conversations().collect() }
    }

    /// Sets the name of a conversation.
    ///
    /// - Parameters:
    ///   - sessionID: the conversation's session id.
    ///   - displayName: the name; `nil` removes it.
    public func updateConversation(
        withSessionID sessionID: String, displayName: String?
    ) async throws(StorageError) {
        try await update(sessionID, ConversationUpdate(displayName: displayName.map { .set($0) } ?? .remove))
    }

    /// Sets the picture of a conversation.
    ///
    /// - Parameters:
    ///   - sessionID: the conversation's session id.
    ///   - avatarData: the picture, at most 4 MiB in any format; `nil` removes it.
    public func updateConversation(
        withSessionID sessionID: String, avatarData: [UInt8]?
    ) async throws(StorageError) {
        try await update(sessionID, ConversationUpdate(avatar: avatarData.map { .set($0) } ?? .remove))
    }

    /// Pins or unpins a conversation. Pinned conversations come before the others.
    public func setConversationPinned(
        _ isPinned: Bool, forSessionID sessionID: String
    ) async throws(StorageError) {
        try await update(sessionID, ConversationUpdate(isPinned: isPinned))
    }

    /// Mutes or unmutes a conversation. The person gets no notifications of messages in a muted one.
    public func setConversationMuted(
        _ isMuted: Bool, forSessionID sessionID: String
    ) async throws(StorageError) {
        try await update(sessionID, ConversationUpdate(isMuted: isMuted))
    }

    /// Marks all messages of a conversation as read, including outgoing ones.
    public func markConversationAsRead(withSessionID sessionID: String) async throws(StorageError) {
        try await saving { () throws(StoreClientError) in
            try await client.markConversationRead(.sessionID(sessionID))
        }
    }

    /// Deletes a conversation with its messages and its draft.
    public func deleteConversation(withSessionID sessionID: String) async throws(StorageError) {
        try await saving { () throws(StoreClientError) in
            try await client.deleteConversation(.sessionID(sessionID))
        }
    }

    private func update(_ sessionID: String, _ update: ConversationUpdate) async throws(StorageError) {
        try await saving { () throws(StoreClientError) in
            try await client.updateConversation(.sessionID(sessionID), update)
        }
    }
}
