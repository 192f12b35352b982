/// A page of a list: the part of it that one answer of the daemon holds.
public protocol ListPage: Hashable, Sendable {
    /// What the list is of.
    associatedtype Element: Hashable & Sendable

    /// The page's part of the list, in the list's order. May be empty where more follows.
    var elements: [Element] { get }
}

/// A page that names the place of the next one.
public protocol CursorPage: ListPage {
    /// Where the next page starts; `nil` on the last one.
    var nextCursor: String? { get }
}

/// A page that is asked for by the number of the element before its first one.
protocol NumberedPage: ListPage {
    /// Greater than that of every element before it.
    static func number(of element: Element) -> UInt64

    /// What the next page is asked for by; `nil` on the last one.
    var nextStart: UInt64? { get }
}

extension NumberedPage {
    /// - Throws: `.answerUnreadable` for a page that does not go on behind the number that it was asked for by: whoever
    ///   follows such pages would never come to an end.
    func checked(after start: UInt64) throws(StoreClientError) -> Self {
        var last = start
        for element in elements {
            guard Self.number(of: element) > last else {
                throw .answerUnreadable("the page from the daemon does not begin after the requested number")
            }
            last = Self.number(of: element)
        }
        if let nextStart, nextStart <= start {
            throw .answerUnreadable("the page from the daemon leads back to an earlier page")
        }
        return self
    }
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

    /// Fetches the page behind another, or the first one, of so many elements at most or of as many as it chooses;
    /// `nil` where the list ends.
    typealias Fetch = @Sendable (_ previous: Page?, _ limit: Int?) async throws(StoreClientError) -> Page?

    private let makeFetch: @Sendable () -> Fetch

    init(_ fetch: @escaping Fetch) {
        makeFetch = { fetch }
    }

    /// - Parameter makeFetch: for a list whose iterations each keep what they found at their beginning.
    init(eachIteration makeFetch: @escaping @Sendable () -> Fetch) {
        self.makeFetch = makeFetch
    }

    /// Its pages, for who needs what they tell besides: the place to go on from later, the revision. Their size is the
    /// library's choice.
    public var pages: Pages {
        Pages(makeFetch: makeFetch, limit: nil)
    }

    /// Its pages, of a size that the caller chooses.
    ///
    /// - Parameter limit: elements of a page at most: 1 to 1,000, of changes to 10,000. Fewer come where they are
    ///   large. More ends the list with `.invalidArgument`; less is 1.
    public func pages(ofAtMost limit: Int) -> Pages {
        Pages(makeFetch: makeFetch, limit: Swift.max(1, limit))
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
    }

    /// The pages of a list.
    public struct Pages: AsyncSequence, Sendable {
        /// One page.
        public typealias Element = Page
        /// What they end with when they do not end by themselves.
        public typealias Failure = StoreClientError

        fileprivate let makeFetch: @Sendable () -> Fetch
        fileprivate let limit: Int?

        /// An iteration from the start.
        public func makeAsyncIterator() -> Iterator {
            Iterator(fetch: makeFetch(), limit: limit)
        }

        /// Where an iteration stands. One task at a time may ask it.
        public struct Iterator: AsyncIteratorProtocol, Sendable {
            private let fetch: Fetch
            private let limit: Int?
            private var previous: Page?
            private var hasEnded = false
            private var trail = CursorTrail()

            fileprivate init(fetch: @escaping Fetch, limit: Int?) {
                self.fetch = fetch
                self.limit = limit
            }

            /// The next page; `nil` at the end.
            public mutating func next(isolation actor: isolated (any Actor)?) async throws(StoreClientError) -> Page? {
                guard !hasEnded else { return nil }
                // An error is the end too.
                hasEnded = true
                previous = try await fetch(previous, limit)
                if let page = previous as? any CursorPage, let cursor = page.nextCursor {
                    try trail.append(cursor)
                }
                hasEnded = previous == nil
                return previous
            }
        }
    }
}

/// The places that a list led to. One of them in memory is enough to notice that they come again, and again: it is
/// passed on after one more, two more, four more places and so on.
struct CursorTrail {
    private var known: String?
    private var stepsLeft = 0
    private var stride = 1

    /// - Throws: `.answerUnreadable` for a list that would have no end, at the latest when it has led through its
    ///   places three times.
    mutating func append(_ cursor: String) throws(StoreClientError) {
        guard cursor != known else {
            throw .answerUnreadable("the daemon's list has no end: a page leads back to an earlier page")
        }
        if stepsLeft == 0 {
            known = cursor
            stepsLeft = stride
            stride *= 2
        }
        stepsLeft -= 1
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
    ///   - first: how many elements the first page has where the library chooses.
    ///   - page: fetches so many elements from a place on, behind a page where it is not the first.
    init(
        from start: String?, first: Int = PageSize.first,
        _ page:
            @escaping @Sendable (_ limit: Int, _ cursor: String?, _ previous: Page?) async throws(StoreClientError)
            -> Page
    ) {
        self.init { (previous, limit) throws(StoreClientError) in
            guard let previous else { return try await page(limit ?? first, start, nil) }
            guard let cursor = previous.nextCursor else { return nil }
            return try await page(limit ?? PageSize.following, cursor, previous)
        }
    }
}
