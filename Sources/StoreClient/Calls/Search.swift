import StoreProtocol

/// Full-text search. What was saved before a search began is found, whatever the daemon still has to do for its index.
extension StoreClient {
    /// Messages that hold what is searched for, newest first.
    ///
    /// It ends by throwing `.invalidArgument` for a query that makes no sense, `.conversationNotFound`, or
    /// `.searchIndexIncomplete`.
    ///
    /// - Parameters:
    ///   - query: words, `"phrases"`, beginnings of words (`begin*`), AND (which may be left out), OR, NOT and
    ///     parentheses. Case and most marks do not count.
    ///   - conversation: by its id or its session id; `nil`: all.
    ///   - cursor: `lastCursor` of a page, to go on behind it; `nil` starts at the newest.
    ///   - filter: which messages; all by default.
    ///
    /// `searchMessagePage` can put those first that fit best.
    public func searchMessages(
        _ query: String, in conversation: ConversationReference? = nil, after cursor: String? = nil,
        filter: MessageFilter = MessageFilter()
    ) -> PagedList<FoundMessagePage> {
        let first = MessageSearch(
            query, in: conversation, limit: PageSize.first, beforeCursor: cursor, filter: filter)
        return PagedList { (previous, limit) throws(StoreClientError) in
            var search = first
            if let previous {
                guard let next = first.next(after: previous) else { return nil }
                search = next
                search.limit = PageSize.following
            }
            search.limit = limit ?? search.limit
            return try await searchMessagePage(search)
        }
    }

    /// A page of messages that hold what is searched for; `MessageSearch.next(after:)` asks for the one beyond it.
    public func searchMessagePage(_ search: MessageSearch) async throws(StoreClientError) -> FoundMessagePage {
        let answered = try await answer(to: .searchMessages(WireSearchMessagesRequest(search)), .read) { result in
            if case .foundMessages(let page) = result { page } else { nil }
        }
        return FoundMessagePage(answered)
    }

    /// Contacts whose display name, session id or id holds what is searched for, by display name, the nameless ones
    /// last. It ends by throwing `.invalidArgument` for a query that makes no sense.
    ///
    /// - Parameters:
    ///   - query: as for messages, but a word that it ends with may go on: `ann` finds Anna.
    ///   - filter: which contacts; all by default.
    ///   - start: `nextCursor` of a page, to go on behind it; `nil` starts at the top.
    ///   - includeAvatars: also fetches what `Contact.avatar` holds.
    public func searchContacts(
        _ query: String, filter: ContactFilter = ContactFilter(), from start: String? = nil,
        includeAvatars: Bool = false
    ) -> PagedList<ContactPage> {
        PagedList(from: start) { (limit, cursor) throws(StoreClientError) in
            try await searchContactPage(
                query, filter: filter, limit: limit, cursor: cursor, includeAvatars: includeAvatars)
        }
    }

    /// A page of contacts whose names hold what is searched for: maybe an empty one that is not the last.
    ///
    /// - Parameters:
    ///   - query: as for messages, but a word that it ends with may go on.
    ///   - filter: which contacts; all by default.
    ///   - limit: 1 to 1,000.
    ///   - cursor: `nextCursor` of the page before; `nil` starts at the top.
    ///   - includeAvatars: also fetches what `Contact.avatar` holds.
    public func searchContactPage(
        _ query: String, filter: ContactFilter = ContactFilter(), limit: Int = 100, cursor: String? = nil,
        includeAvatars: Bool = false
    ) async throws(StoreClientError) -> ContactPage {
        let call = WireSearchContactsRequest(
            query, filter, limit: limit, cursor: cursor, includeAvatars: includeAvatars)
        let answered = try await answer(to: .searchContacts(call), .read) { result in
            if case .contacts(let page) = result { page } else { nil }
        }
        return ContactPage(answered)
    }

    /// Conversations whose display name, session id or id holds what is searched for: pinned ones first, each part
    /// newest activity first. It ends by throwing `.invalidArgument` for a query that makes no sense.
    ///
    /// - Parameters:
    ///   - query: as for messages, but a word that it ends with may go on: `ann` finds Anna.
    ///   - filter: which conversations; all by default.
    ///   - start: `nextCursor` of a page, to go on behind it; `nil` starts at the top.
    ///   - includeAvatars: also fetches what `Conversation.avatar` holds.
    public func searchConversations(
        _ query: String, filter: ConversationFilter = ConversationFilter(), from start: String? = nil,
        includeAvatars: Bool = false
    ) -> PagedList<ConversationPage> {
        PagedList(from: start) { (limit, cursor) throws(StoreClientError) in
            try await searchConversationPage(
                query, filter: filter, limit: limit, cursor: cursor, includeAvatars: includeAvatars)
        }
    }

    /// A page of conversations whose names hold what is searched for: maybe an empty one that is not the last.
    ///
    /// - Parameters:
    ///   - query: as for messages, but a word that it ends with may go on.
    ///   - filter: which conversations; all by default.
    ///   - limit: 1 to 1,000.
    ///   - cursor: `nextCursor` of the page before; `nil` starts at the top.
    ///   - includeAvatars: also fetches what `Conversation.avatar` holds.
    public func searchConversationPage(
        _ query: String, filter: ConversationFilter = ConversationFilter(), limit: Int = 100, cursor: String? = nil,
        includeAvatars: Bool = false
    ) async throws(StoreClientError) -> ConversationPage {
        let call = WireSearchConversationsRequest(
            query, filter, limit: limit, cursor: cursor, includeAvatars: includeAvatars)
        let answered = try await answer(to: .searchConversations(call), .read) { result in
            if case .conversations(let page) = result { page } else { nil }
        }
        return ConversationPage(answered)
    }

    /// Makes the search index anew from the messages: for one that `checkStore` or a search complains of. The store
    /// goes on serving meanwhile, but for searches in all conversations. Needs the right to administer. When the
    /// connection is lost (`.connectionLost`) the work goes on or has not begun.
    public func rebuildSearchIndex(
        progress: @escaping @Sendable (WorkProgress) -> Void = { _ in }
    ) async throws(StoreClientError) {
        let body = try RequestBody(.rebuildSearchIndex(WireRebuildSearchIndexRequest()))
        try await finish(body, progress: progress) { result in
            if case .rebuildSearchIndex = result { () } else { nil }
        }
    }
}
