import StoreProtocol

/// Messages. A message that is not there is `.messageNotFound`.
extension StoreClient {
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
}
