public import StoreClient

/// Conversations. Writing to one that is not there throws ``StorageError/conversationNotFound``; another failure is
/// ``StorageError/failed(_:)`` of a read and ``StorageError/saveFailed(_:)`` of a write. When a write returns, it is on
/// disk.
extension StorageManager {
    /// The conversation with a party, made when there is none.
    ///
    /// - Parameters:
    ///   - sessionID: the party's, 1 to 256 bytes.
    ///   - displayName: the name of a conversation that is made; one that is there keeps its own.
    public func getOrCreateConversation(
        withSessionID sessionID: String, displayName: String? = nil
    ) async throws(StorageError) -> Conversation {
        try await saving { () throws(StoreClientError) in
            try await client.getOrCreateConversation(sessionID: sessionID, displayName: displayName)
        }
    }

    /// The conversation with a party.
    ///
    /// - Parameters:
    ///   - sessionID: the party's.
    ///   - includeAvatar: whether its picture comes along.
    /// - Throws: ``StorageError/conversationNotFound``.
    public func getConversation(
        withSessionID sessionID: String, includeAvatar: Bool = false
    ) async throws(StorageError) -> Conversation {
        try await reading { () throws(StoreClientError) in
            try await client.conversation(.sessionID(sessionID), includeAvatar: includeAvatar)
        }
    }

    /// The conversation of an id.
    ///
    /// - Parameters:
    ///   - id: as `Conversation.id` tells it.
    ///   - includeAvatar: whether its picture comes along.
    /// - Throws: ``StorageError/conversationNotFound``.
    public func getConversation(id: String, includeAvatar: Bool = false) async throws(StorageError) -> Conversation {
        try await reading { () throws(StoreClientError) in
            try await client.conversation(.id(id), includeAvatar: includeAvatar)
        }
    }

    /// Every conversation, without its picture: pinned ones first, each part newest activity first.
    public func getAllConversations() async throws(StorageError) -> [Conversation] {
        try await reading { () throws(StoreClientError) in try await client.conversations().collect() }
    }

    /// Gives the conversation a name.
    ///
    /// - Parameters:
    ///   - sessionID: the party's.
    ///   - displayName: `nil` takes the name away.
    public func updateConversation(
        withSessionID sessionID: String, displayName: String?
    ) async throws(StorageError) {
        try await update(sessionID, ConversationUpdate(displayName: displayName.map { .set($0) } ?? .remove))
    }

    /// Gives the conversation a picture.
    ///
    /// - Parameters:
    ///   - sessionID: the party's.
    ///   - avatarData: at most 4 MiB, in any form; `nil` takes the picture away.
    public func updateConversation(
        withSessionID sessionID: String, avatarData: [UInt8]?
    ) async throws(StorageError) {
        try await update(sessionID, ConversationUpdate(avatar: avatarData.map { .set($0) } ?? .remove))
    }

    /// Lets the conversation stand before those that are not pinned, or no longer.
    public func setConversationPinned(
        _ isPinned: Bool, forSessionID sessionID: String
    ) async throws(StorageError) {
        try await update(sessionID, ConversationUpdate(isPinned: isPinned))
    }

    /// Keeps whether the person wants no notice of the conversation's messages.
    public func setConversationMuted(
        _ isMuted: Bool, forSessionID sessionID: String
    ) async throws(StorageError) {
        try await update(sessionID, ConversationUpdate(isMuted: isMuted))
    }

    /// Marks every message of it read.
    public func markConversationAsRead(withSessionID sessionID: String) async throws(StorageError) {
        try await saving { () throws(StoreClientError) in
            try await client.markConversationRead(.sessionID(sessionID))
        }
    }

    /// Deletes it and its messages.
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
