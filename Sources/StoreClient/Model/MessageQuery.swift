extension MessageQuery {
    /// The same question for the messages beyond a page, in the same order; `nil` when there are none.
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
    /// The same question for the messages beyond a page; `nil` when there are none.
    public func next(after page: FoundMessagePage) -> MessageSearch? {
        guard page.hasMore, let cursor = page.lastCursor else { return nil }
        var next = self
        next.beforeCursor = cursor
        return next
    }
}
