/// Lists of messages. A query contains the cursor after which a page starts.
extension StoreClient {
    /// Lists the messages of a conversation, or of all conversations. The pages are requested as the list is iterated.
    /// If the conversation does not exist, the list ends with `.conversationNotFound`.
    ///
    /// - Parameters:
    ///   - conversation: The conversation; `nil` lists the messages of all.
    ///   - order: The order of the messages.
    ///   - cursor: `lastCursor` of a page in the same order, to continue after it; `nil` starts with the first message
    ///     in that order.
    ///   - filter: Conditions on the messages.
    public func messages(
        in conversation: ConversationReference? = nil, order: MessageQuery.Order = .newestFirst,
        after cursor: String? = nil, filter: MessageFilter = MessageFilter()
    ) -> PagedList<MessagePage> {
        let isNewestFirst = order == .newestFirst
        let first = MessageQuery(
            conversation: conversation, limit: PageSize.first, order: order,
            beforeCursor: isNewestFirst ? cursor : nil, afterCursor: isNewestFirst ? nil : cursor, filter: filter)
        return PagedList { (previous, limit) throws(StoreClientError) in
            guard var query = previous.map(first.next(after:)) ?? first else { return nil }
            // A session ID stands for the conversation that had it when the list began. Therefore further pages use
            // that conversation's ID.
            if query.conversation != nil, let message = previous?.messages.first {
                query.conversation = .id(message.conversationID)
            }
            query.limit = limit ?? (previous == nil ? PageSize.first : PageSize.following)
            return try await messagePage(query)
        }
    }

    /// Finds messages by their texts, newest first; `searchMessagePage` also has another order. The pages are requested
    /// as the list is iterated. The list ends by throwing:
    ///
    /// - `.invalidArgument` if the query is malformed;
    /// - `.conversationNotFound` if the conversation does not exist;
    /// - `.searchIndexIncomplete` if the daemon is rebuilding the search index, or cannot use it.
    ///
    /// - Parameters:
    ///   - query: Words, `"phrases"`, beginnings of words (`begin*`), AND (which may be omitted), OR, NOT and
    ///     parentheses. Case and most accents do not matter.
    ///   - conversation: The conversation to search; `nil` searches all.
    ///   - cursor: `lastCursor` of a page, to continue after it; `nil` starts at the newest message.
    ///   - filter: Conditions on the messages.
    public func searchMessages(
        _ query: String, in conversation: ConversationReference? = nil, after cursor: String? = nil,
        filter: MessageFilter = MessageFilter()
    ) -> PagedList<FoundMessagePage> {
        let first = MessageSearch(query, in: conversation, beforeCursor: cursor, filter: filter)
        return PagedList { (previous, limit) throws(StoreClientError) in
            guard var search = previous.map(first.next(after:)) ?? first else { return nil }
            search.limit = limit ?? (previous == nil ? PageSize.first : PageSize.following)
            return try await searchMessagePage(search)
        }
    }
}

extension MessageQuery {
    /// Returns the query for the messages after a page, in the same order; `nil` if there are no more.
    public func next(after page: MessagePage) -> MessageQuery? {
        guard page.hasMore, let cursor = page.lastCursor else { return nil }
        var next = self
        switch order {
        case .newestFirst: next.beforeCursor = cursor
        case .oldestFirst: next.afterCursor = cursor
        }
        return next
    }
}

extension MessageSearch {
    /// Returns the search for the messages after a page; `nil` if there are no more.
    public func next(after page: FoundMessagePage) -> MessageSearch? {
        guard page.hasMore, let cursor = page.lastCursor else { return nil }
        var next = self
        next.beforeCursor = cursor
        return next
    }
}
