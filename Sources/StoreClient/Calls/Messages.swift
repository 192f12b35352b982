import StoreProtocol

/// Messages. A message that is not there is `.messageNotFound`.
extension StoreClient {
    /// Saves a message. Saving an id that exists replaces its fields and never makes a second one; with another
    /// conversation it moves there.
    ///
    /// - Parameters:
    ///   - message: what to save, and where.
    ///   - clearsDraft: deletes the draft of the conversation in the same commit: what was written is sent.
    ///   - idempotencyKey: names the mutation, so that repeating it does nothing twice.
    /// - Throws: `.conversationNotFound` where the conversation is given by an id that none has;
    ///   `.attachmentContentNotFound`.
    @discardableResult
    public func saveMessage(
        _ message: NewMessage, clearsDraft: Bool = false, idempotencyKey: IdempotencyKey = IdempotencyKey()
    ) async throws(StoreClientError) -> Commit {
        var call = WireSaveMessageRequest()
        call.message = WireNewMessage(message)
        call.message.attachments = try await prepared(message.attachments)
        call.clearDraft_p = clearsDraft
        return try await commit(.saveMessage(call), key: idempotencyKey)
    }

    /// Saves all of them or none.
    ///
    /// - Parameters:
    ///   - messages: 1 to `StoreClient.entriesPerRequestMax`, and what one request holds (8 MiB). Of two with one id
    ///     the later one counts.
    ///   - idempotencyKey: names the mutation, so that repeating it does nothing twice.
    /// - Throws: `.conversationNotFound` where a conversation is given by an id that none has.
    @discardableResult
    public func saveMessages(
        _ messages: [NewMessage], idempotencyKey: IdempotencyKey = IdempotencyKey()
    ) async throws(StoreClientError) -> Commit {
        var call = WireSaveMessagesRequest()
        call.messages = messages.map(WireNewMessage.init)
        for (index, message) in messages.enumerated() where !message.attachments.isEmpty {
            call.messages[index].attachments = try await prepared(
                message.attachments, atMost: Self.inlineAttachmentBytesMax / messages.count)
        }
        return try await commit(.saveMessages(call), key: idempotencyKey)
    }

    /// The message as it is now.
    /// - Throws: `.messageNotFound`.
    public func message(_ id: String) async throws(StoreClientError) -> Message {
        var call = WireGetMessageRequest()
        call.id = id
        let answered = try await answer(to: .getMessage(call), .read) { result in
            if case .message(let message) = result { message } else { nil }
        }
        return Message(answered)
    }

    /// The messages of a conversation. It ends by throwing `.conversationNotFound` where there is none.
    ///
    /// - Parameters:
    ///   - conversation: by its id or its session id.
    ///   - order: newest first by default.
    ///   - cursor: `lastCursor` of a page in the same order, to go on behind it; `nil` starts at the end that the order
    ///     names.
    ///   - filter: which messages; all by default.
    public func messages(
        in conversation: ConversationReference, order: MessageQuery.Order = .newestFirst, after cursor: String? = nil,
        filter: MessageFilter = MessageFilter()
    ) -> PagedList<MessagePage> {
        let isNewestFirst = order == .newestFirst
        let first = MessageQuery(
            conversation: conversation, limit: PageSize.first, order: order,
            beforeCursor: isNewestFirst ? cursor : nil, afterCursor: isNewestFirst ? nil : cursor, filter: filter)
        return PagedList { (previous, limit) throws(StoreClientError) in
            var query = first
            if let previous {
                guard let next = first.next(after: previous) else { return nil }
                query = next
                // The one that had the session id when the list began.
                query.conversation = previous.messages.first.map { .id($0.conversationID) } ?? query.conversation
                query.limit = PageSize.following
            }
            query.limit = limit ?? query.limit
            return try await messagePage(query)
        }
    }

    /// A page of the messages of one conversation; `MessageQuery.next(after:)` asks for the one beyond it.
    public func messagePage(_ query: MessageQuery) async throws(StoreClientError) -> MessagePage {
        let answered = try await answer(to: .listMessages(WireListMessagesRequest(query)), .read) { result in
            if case .messages(let page) = result { page } else { nil }
        }
        return MessagePage(answered)
    }

    /// Gives all of them the status, or none when one is not there. Those that have it already do not change.
    ///
    /// - Parameters:
    ///   - ids: 1 to `StoreClient.entriesPerRequestMax`.
    ///   - status: not `.unknown`.
    ///   - idempotencyKey: names the mutation, so that repeating it does nothing twice.
    /// - Throws: `.messageNotFound`.
    @discardableResult
    public func updateMessageStatus(
        _ ids: [String], to status: MessageStatus, idempotencyKey: IdempotencyKey = IdempotencyKey()
    ) async throws(StoreClientError) -> Commit {
        var call = WireUpdateMessageStatusRequest()
        call.ids = ids
        call.status = WireMessageStatus(status)
        return try await commit(.updateMessageStatus(call), key: idempotencyKey)
    }

    /// Marks all of them read, or none when one is not there.
    ///
    /// - Parameters:
    ///   - ids: 1 to `StoreClient.entriesPerRequestMax`.
    ///   - idempotencyKey: names the mutation, so that repeating it does nothing twice.
    /// - Throws: `.messageNotFound`.
    @discardableResult
    public func markMessagesRead(
        _ ids: [String], idempotencyKey: IdempotencyKey = IdempotencyKey()
    ) async throws(StoreClientError) -> Commit {
        var call = WireMarkMessagesReadRequest()
        call.ids = ids
        return try await commit(.markMessagesRead(call), key: idempotencyKey)
    }

    /// Replaces a message's text and keeps when that was.
    ///
    /// - Parameters:
    ///   - id: the message's.
    ///   - text: at most 1 MiB.
    ///   - editedAt: `nil`, and 1970-01-01T00:00:00Z to the microsecond, is now; then a message that has this text
    ///     already stays as it is.
    ///   - idempotencyKey: names the mutation, so that repeating it does nothing twice.
    /// - Throws: `.messageNotFound`.
    @discardableResult
    public func editMessage(
        _ id: String, text: String, editedAt: Timestamp? = nil, idempotencyKey: IdempotencyKey = IdempotencyKey()
    ) async throws(StoreClientError) -> Commit {
        var call = WireEditMessageRequest()
        call.id = id
        call.text = text
        call.editedAtMicroseconds = editedAt?.microseconds ?? 0
        return try await commit(.editMessage(call), key: idempotencyKey)
    }

    /// Deletes all of them, or none when one is not there.
    ///
    /// - Parameters:
    ///   - ids: 1 to `StoreClient.entriesPerRequestMax`.
    ///   - idempotencyKey: names the mutation, so that repeating it does nothing twice.
    /// - Throws: `.messageNotFound`.
    @discardableResult
    public func deleteMessages(
        _ ids: [String], idempotencyKey: IdempotencyKey = IdempotencyKey()
    ) async throws(StoreClientError) -> Commit {
        var call = WireDeleteMessagesRequest()
        call.ids = ids
        return try await commit(.deleteMessages(call), key: idempotencyKey)
    }
}
