import StoreProtocol

/// Drafts: what was written in a conversation and not sent. A conversation has one draft or none, and an empty one is
/// none.
extension StoreClient {
    /// Replaces all of the conversation's draft. One without a text and what comes behind it deletes it. Saving
    /// what is there already changes nothing.
    ///
    /// - Parameters:
    ///   - conversation: by its id or its session id. A session id that is not known yet creates its conversation,
    ///     unless the draft is empty.
    ///   - text: at most 1 MiB of UTF-8.
    ///   - attachmentURL: where its attachment is.
    ///   - attachmentType: what its attachment is.
    ///   - replyToMessageID: the message it answers.
    ///   - attachments: at most 32; name them by their digests in the message that the draft becomes.
    ///   - idempotencyKey: names the mutation, so that repeating it does nothing twice.
    /// - Throws: `.conversationNotFound` where the conversation is given by an id that none has.
    @discardableResult
    public func saveDraft(
        in conversation: ConversationReference, text: String, attachmentURL: String? = nil,
        attachmentType: String? = nil, replyToMessageID: String? = nil, attachments: [NewAttachment] = [],
        idempotencyKey: IdempotencyKey = IdempotencyKey()
    ) async throws(StoreClientError) -> Commit {
        var call = WireSaveDraftRequest()
        call.conversation = WireConversationReference(conversation)
        call.text = text
        if let attachmentURL {
            call.attachmentURL = attachmentURL
        }
        if let attachmentType {
            call.attachmentType = attachmentType
        }
        if let replyToMessageID {
            call.replyToMessageID = replyToMessageID
        }
        call.attachments = try await prepared(attachments)
        return try await commit(.saveDraft(call), key: idempotencyKey)
    }

    /// The conversation's draft; `nil` where it has none.
    /// - Throws: `.conversationNotFound`.
    public func draft(in conversation: ConversationReference) async throws(StoreClientError) -> Draft? {
        var call = WireGetDraftRequest()
        call.conversation = WireConversationReference(conversation)
        let answered = try await answer(to: .getDraft(call), .read) { result in
            if case .draft(let found) = result { found } else { nil }
        }
        return answered.hasDraft ? Draft(answered.draft) : nil
    }

    /// The drafts of all conversations, the one saved last first.
    ///
    /// - Parameter start: `nextCursor` of a page, to go on behind it; `nil` starts at the top.
    public func drafts(from start: String? = nil) -> PagedList<DraftPage> {
        PagedList(from: start) { (limit, cursor) throws(StoreClientError) in
            try await draftPage(limit: limit, cursor: cursor)
        }
    }

    /// A page of the drafts of all conversations, the one saved last first.
    ///
    /// - Parameters:
    ///   - limit: 1 to 1,000.
    ///   - cursor: `nextCursor` of the page before; `nil` starts at the top.
    public func draftPage(limit: Int = 100, cursor: String? = nil) async throws(StoreClientError) -> DraftPage {
        var call = WireListDraftsRequest()
        call.limit = UInt32(clamping: limit)
        call.cursor = cursor ?? ""
        let answered = try await answer(to: .listDrafts(call), .read) { result in
            if case .drafts(let page) = result { page } else { nil }
        }
        return DraftPage(answered)
    }

    /// Deletes the conversation's draft. Where there is none, nothing changes and `Commit.deletedCount` is 0.
    /// - Throws: `.conversationNotFound`.
    @discardableResult
    public func deleteDraft(
        in conversation: ConversationReference, idempotencyKey: IdempotencyKey = IdempotencyKey()
    ) async throws(StoreClientError) -> Commit {
        var call = WireDeleteDraftRequest()
        call.conversation = WireConversationReference(conversation)
        return try await commit(.deleteDraft(call), key: idempotencyKey)
    }
}
