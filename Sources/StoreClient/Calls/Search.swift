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
