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
