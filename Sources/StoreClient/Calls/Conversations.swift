import StoreProtocol

/// Conversations. A conversation that is not there is `.conversationNotFound`.
extension StoreClient {
    /// The conversation with a session id, made when there is none. A caller without the right to read conversations
    /// gets its id and session id alone.
    ///
    /// - Parameters:
    ///   - sessionID: the party's, 1 to 256 bytes.
    ///   - id: the id to give a new one; `nil` lets the daemon make a UUIDv7.
    ///   - displayName: only used for a new one.
    ///   - idempotencyKey: names the mutation, so that repeating it does nothing twice.
    /// - Throws: `.alreadyExists` where another conversation has the id.
    public func getOrCreateConversation(
        sessionID: String, id: String? = nil, displayName: String? = nil,
        idempotencyKey: IdempotencyKey = IdempotencyKey()
    ) async throws(StoreClientError) -> Conversation {
        var call = WireGetOrCreateConversationRequest()
        call.sessionID = sessionID
        call.id = id ?? ""
        if let displayName {
            call.displayName = displayName
        }
        let answered = try await answer(to: .getOrCreateConversation(call), .mutation(idempotencyKey)) { result in
            if case .getOrCreateConversation(let found) = result { found } else { nil }
        }
        return Conversation(answered.conversation)
    }

    /// The conversation as it is now.
    ///
    /// - Parameters:
    ///   - reference: by its id or its session id.
    ///   - includeAvatar: also fetches what `Conversation.avatar` holds.
    /// - Throws: `.conversationNotFound`.
    public func conversation(
        _ reference: ConversationReference, includeAvatar: Bool = false
    ) async throws(StoreClientError) -> Conversation {
        var call = WireGetConversationRequest()
        call.conversation = WireConversationReference(reference)
        call.includeAvatar = includeAvatar
        let answered = try await answer(to: .getConversation(call), .read) { result in
            if case .conversation(let conversation) = result { conversation } else { nil }
        }
        return Conversation(answered)
    }

    /// The conversations: pinned ones first, each part newest activity first.
    ///
    /// - Parameters:
    ///   - filter: which conversations; all by default.
    ///   - start: `nextCursor` of a page, to go on behind it; `nil` starts at the top.
    ///   - includeAvatars: also fetches what `Conversation.avatar` holds.
    public func conversations(
        _ filter: ConversationFilter = ConversationFilter(), from start: String? = nil, includeAvatars: Bool = false
    ) -> PagedList<ConversationPage> {
        PagedList(from: start) { (limit, cursor) throws(StoreClientError) in
            try await conversationPage(filter, limit: limit, cursor: cursor, includeAvatars: includeAvatars)
        }
    }

    /// A page of conversations: pinned ones first, each part newest activity first.
    ///
    /// - Parameters:
    ///   - filter: which conversations; all by default.
    ///   - limit: 1 to 1,000.
    ///   - cursor: `nextCursor` of the page before; `nil` starts at the top.
    ///   - includeAvatars: also fetches what `Conversation.avatar` holds.
    public func conversationPage(
        _ filter: ConversationFilter = ConversationFilter(), limit: Int = 100, cursor: String? = nil,
        includeAvatars: Bool = false
    ) async throws(StoreClientError) -> ConversationPage {
        let call = WireListConversationsRequest(
            filter, limit: limit, cursor: cursor, includeAvatars: includeAvatars)
        let answered = try await answer(to: .listConversations(call), .read) { result in
            if case .conversations(let page) = result { page } else { nil }
        }
        return ConversationPage(answered)
    }

    /// Changes what the update names.
    /// - Throws: `.conversationNotFound`.
    @discardableResult
    public func updateConversation(
        _ reference: ConversationReference, _ update: ConversationUpdate,
        idempotencyKey: IdempotencyKey = IdempotencyKey()
    ) async throws(StoreClientError) -> Commit {
        try await commit(.updateConversation(WireUpdateConversationRequest(reference, update)), key: idempotencyKey)
    }

    /// Returns the effect that an update would have, and changes nothing. `Commit.deletedCount` is how many existing
    /// messages it would delete by `keepFor` and `keepCount`; `Commit.updatedCount` is 1 if it would change something.
    ///
    /// - Throws: `.conversationNotFound`.
    public func previewUpdate(
        of reference: ConversationReference, _ update: ConversationUpdate
    ) async throws(StoreClientError) -> Commit {
        var call = WireUpdateConversationRequest(reference, update)
        call.dryRun = true
        let answered = try await answer(to: .updateConversation(call), .read) { result in
            if case .commit(let commit) = result { commit } else { nil }
        }
        return Commit(answered)
    }

    /// Marks every message read that was saved before it began. One of many messages is marked in steps, newest first,
    /// with other writes between them: when this fails, those of the steps before are marked, and calling again marks
    /// the rest. `Commit.updatedCount` tells how many there were; `Commit.ids` is empty.
    ///
    /// - Throws: `.conversationNotFound`.
    @discardableResult
    public func markConversationRead(
        _ reference: ConversationReference, idempotencyKey: IdempotencyKey = IdempotencyKey()
    ) async throws(StoreClientError) -> Commit {
        var call = WireMarkConversationReadRequest()
        call.conversation = WireConversationReference(reference)
        return try await commit(.markConversationRead(call), key: idempotencyKey)
    }

    /// Deletes it, its messages and its draft: when this returns, nobody finds anything of them.
    ///
    /// - Throws: `.conversationNotFound`.
    @discardableResult
    public func deleteConversation(
        _ reference: ConversationReference, idempotencyKey: IdempotencyKey = IdempotencyKey()
    ) async throws(StoreClientError) -> Commit {
        var call = WireDeleteConversationRequest()
        call.conversation = WireConversationReference(reference)
        return try await commit(.deleteConversation(call), key: idempotencyKey)
    }
}
