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
}
