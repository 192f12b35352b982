/// A page of a list: the part of it that one answer of the daemon holds.
public protocol ListPage: Hashable, Sendable {
    /// What the list is of.
    associatedtype Element: Hashable & Sendable

    /// The page's part of the list, in the list's order. May be empty where more follows.
    var elements: [Element] { get }
}

/// A page that names the place of the next one.
protocol CursorPage: ListPage {
    var nextCursor: String? { get }
}

/// A list of the store, fetched page by page as it is iterated.
///
/// ```swift
/// for try await message in client.messages(in: .sessionID("05alice")) {
///     print(message.text)
/// }
/// ```
///
/// Nothing is asked of the daemon before the first element is wanted, and no page before the one ahead of it is used
/// up: leave the loop when you have seen enough. Each iteration asks anew. A page is consistent in itself; of what is
/// written between two pages, what moves within the list meanwhile may be missing or come twice (read the changes where
/// that matters). Every page is a call with a deadline of its own.
///
/// It ends by throwing what the call of a page throws: `.cancelled` when the task is cancelled, `.storeLocked`, or what
/// the method that made it names. After that, and after the last element, `next()` gives `nil`.
public struct PagedList<Page: ListPage>: AsyncSequence, Sendable {
    /// What the list is of.
    public typealias Element = Page.Element
    /// What it ends with when it does not end by itself.
    public typealias Failure = StoreClientError

    /// Its pages, for who needs what they tell besides: the place to go on from later, the revision.
    public let pages: Pages

    /// - Parameter page: fetches the page behind another, or the first one; `nil` where the list ends.
    init(_ page: @escaping @Sendable (_ previous: Page?) async throws(StoreClientError) -> Page?) {
        pages = Pages(page: page)
    }

    /// All of it, in memory at once.
    public func collect() async throws(StoreClientError) -> [Element] {
        var all: [Element] = []
        var iterator = pages.makeAsyncIterator()
        while let page = try await iterator.next() {
            all += page.elements
        }
        return all
    }

    /// An iteration from the start.
    public func makeAsyncIterator() -> Iterator {
        Iterator(pages: pages.makeAsyncIterator())
    }

    /// Where an iteration stands. One task at a time may ask it.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        fileprivate var pages: Pages.Iterator
        private var elements: ArraySlice<Element> = []

        fileprivate init(pages: Pages.Iterator) {
            self.pages = pages
        }

        /// The next element; `nil` at the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(StoreClientError) -> Element? {
            while elements.isEmpty {
                guard let page = try await pages.next(isolation: actor) else { return nil }
                elements = page.elements[...]
            }
            return elements.popFirst()
        }

        /// The next element; `nil` at the end.
        public mutating func next() async throws(StoreClientError) -> Element? {
            try await next(isolation: nil)
        }
    }

    /// The pages of a list, of a size that the library chooses.
    public struct Pages: AsyncSequence, Sendable {
        /// One page.
        public typealias Element = Page
        /// What they end with when they do not end by themselves.
        public typealias Failure = StoreClientError

        fileprivate let page: @Sendable (_ previous: Page?) async throws(StoreClientError) -> Page?

        /// An iteration from the start.
        public func makeAsyncIterator() -> Iterator {
            Iterator(page: page)
        }

        /// Where an iteration stands. One task at a time may ask it.
        public struct Iterator: AsyncIteratorProtocol, Sendable {
            fileprivate let page: @Sendable (_ previous: Page?) async throws(StoreClientError) -> Page?
            private var previous: Page?
            private var hasEnded = false

            fileprivate init(
                page: @escaping @Sendable (_ previous: Page?) async throws(StoreClientError) -> Page?
            ) {
                self.page = page
            }

            /// The next page; `nil` at the end.
            public mutating func next(isolation actor: isolated (any Actor)?) async throws(StoreClientError) -> Page? {
                guard !hasEnded else { return nil }
                // An error is the end too.
                hasEnded = true
                previous = try await page(previous)
                hasEnded = previous == nil
                return previous
            }

            /// The next page; `nil` at the end.
            public mutating func next() async throws(StoreClientError) -> Page? {
                try await next(isolation: nil)
            }
        }
    }
}

/// How many elements are asked for at once where the library chooses.
enum PageSize {
    /// Often all that is wanted; the daemon answers a page of so few messages without leaving its event loop.
    static let first = 100
    /// The most that every list takes.
    static let following = 1_000
}

extension PagedList where Page: CursorPage {
    /// - Parameters:
    ///   - start: `nextCursor` of an earlier page; `nil` starts at the top.
    ///   - page: fetches so many elements from a place on.
    init(
        from start: String?,
        _ page: @escaping @Sendable (_ limit: Int, _ cursor: String?) async throws(StoreClientError) -> Page
    ) {
        self.init(from: start) { (limit, cursor, _) throws(StoreClientError) in try await page(limit, cursor) }
    }

    /// - Parameters:
    ///   - start: `nextCursor` of an earlier page; `nil` starts at the top.
    ///   - page: fetches so many elements from a place on, behind a page where it is not the first.
    init(
        from start: String?,
        _ page:
            @escaping @Sendable (_ limit: Int, _ cursor: String?, _ previous: Page?) async throws(StoreClientError)
            -> Page
    ) {
        self.init { (previous) throws(StoreClientError) in
            guard let previous else { return try await page(PageSize.first, start, nil) }
            guard let cursor = previous.nextCursor else { return nil }
            let next = try await page(PageSize.following, cursor, previous)
            guard next.nextCursor != cursor else {
                throw .answerUnreadable("the daemon's list does not go on: a page leads to itself")
            }
            return next
        }
    }
}
