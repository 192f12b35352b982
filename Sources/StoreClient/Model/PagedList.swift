/// A page of a list: the elements in one answer of the daemon.
public protocol ListPage: Hashable, Sendable {
    /// An element of the list, such as a message or a contact.
    associatedtype Element: Hashable & Sendable

    /// The elements of the page, in the list's order. A page may be empty even if more pages follow.
    var elements: [Element] { get }
}

/// A page that contains the cursor of the next one.
public protocol CursorPage: ListPage {
    /// The cursor of the next page; `nil` on the last one.
    var nextCursor: String? { get }
}

/// A page that is requested by the number of the last element before it.
protocol NumberedPage: ListPage {
    /// Returns the number of an element, which is greater than the numbers of all earlier elements.
    static func number(of element: Element) -> UInt64

    /// The number by which the next page is requested; `nil` on the last one.
    var nextStart: UInt64? { get }
}

extension NumberedPage {
    /// Returns the page if its elements follow the requested number in ascending order.
    ///
    /// - Throws: `.answerUnreadable` if the page does not begin after the requested number, because a list of such
    ///   pages could be endless.
    func checked(after start: UInt64) throws(StoreClientError) -> Self {
        var last = start
        for element in elements {
            guard Self.number(of: element) > last else {
                throw .answerUnreadable("the daemon sent the entries of a page out of order")
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
/// The first page is requested when the first element is needed, and each further page when the previous one is used
/// up. Leave the loop when you have seen enough. Each iteration requests the pages again, and each page is a call with
/// its own deadline.
///
/// All entries of a page show the same state of the store. Entries that are written or moved while the list is iterated
/// may be missing or come twice; if that matters, also follow the store's changes (`StoreClient.watch`).
///
/// The list ends by throwing if the call for a page fails, for example with `.cancelled` or `.storeLocked`. The method
/// that returns the list documents further errors. After an error, and after the last element, `next()` returns `nil`.
public struct PagedList<Page: ListPage>: AsyncSequence, Sendable {
    /// An element of the list, such as a message or a contact.
    public typealias Element = Page.Element
    /// The error that `next()` throws if the call for a page fails.
    public typealias Failure = StoreClientError

    /// Fetches the page after `previous`, or the first page if `previous` is `nil`. The limit is the largest number of
    /// elements; `nil` leaves it to the function. Returns `nil` at the end of the list.
    typealias Fetch = @Sendable (_ previous: Page?, _ limit: Int?) async throws(StoreClientError) -> Page?

    private let makeFetch: @Sendable () -> Fetch

    init(_ fetch: @escaping Fetch) {
        makeFetch = { fetch }
    }

    /// - Parameter makeFetch: Creates the function that fetches the pages of one iteration. The function may keep state
    ///   that begins with the iteration.
    init(eachIteration makeFetch: @escaping @Sendable () -> Fetch) {
        self.makeFetch = makeFetch
    }

    /// The pages of the list, which also contain cursors and revisions. The library chooses their size.
    public var pages: Pages {
        Pages(makeFetch: makeFetch, limit: nil)
    }

    /// Returns the pages of the list with a size that the caller chooses.
    ///
    /// - Parameter limit: The largest number of elements in a page: 1 to 1,000, for changes up to 10,000. A page of
    ///   large elements has fewer. A larger limit ends the list with `.invalidArgument`; a smaller one counts as 1.
    public func pages(ofAtMost limit: Int) -> Pages {
        Pages(makeFetch: makeFetch, limit: Swift.max(1, limit))
    }

    /// Reads the whole list into memory.
    public func collect() async throws(StoreClientError) -> [Element] {
        var all: [Element] = []
        var iterator = pages.makeAsyncIterator()
        while let page = try await iterator.next() {
            all += page.elements
        }
        return all
    }

    /// Creates an iterator that starts at the beginning.
    public func makeAsyncIterator() -> Iterator {
        Iterator(pages: pages.makeAsyncIterator())
    }

    /// The state of an iteration. Only one task at a time may use it.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        fileprivate var pages: Pages.Iterator
        private var elements: ArraySlice<Element> = []

        fileprivate init(pages: Pages.Iterator) {
            self.pages = pages
        }

        /// Returns the next element; `nil` at the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(StoreClientError) -> Element? {
            while elements.isEmpty {
                guard let page = try await pages.next(isolation: actor) else { return nil }
                elements = page.elements[...]
            }
            return elements.popFirst()
        }
    }

    /// The pages of a list, for callers that need the cursor or the revision of each page and not only its elements.
    public struct Pages: AsyncSequence, Sendable {
        /// A page: its elements, and its cursor or revision.
        public typealias Element = Page
        /// The error that `next()` throws if the call for a page fails.
        public typealias Failure = StoreClientError

        fileprivate let makeFetch: @Sendable () -> Fetch
        fileprivate let limit: Int?

        /// Creates an iterator that starts at the beginning.
        public func makeAsyncIterator() -> Iterator {
            Iterator(fetch: makeFetch(), limit: limit)
        }

        /// The state of an iteration. Only one task at a time may use it.
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

            /// Returns the next page; `nil` at the end.
            public mutating func next(isolation actor: isolated (any Actor)?) async throws(StoreClientError) -> Page? {
                guard !hasEnded else { return nil }
                // An error ends the iteration too.
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

/// Detects a list that repeats its cursors without an end. It keeps one earlier cursor, and replaces it after one more
/// page, then after two, four, eight pages and so on. So it finds every cycle (Brent's algorithm).
struct CursorTrail {
    private var known: String?
    private var stepsLeft = 0
    private var stride = 1

    /// Adds the cursor of the next page.
    ///
    /// - Throws: `.answerUnreadable` for a list without an end, at the latest when it has passed all its cursors three
    ///   times.
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

/// The number of elements that the library requests at once.
enum PageSize {
    /// The size of the first page. One page of this size is often enough, and the daemon reads such a small page
    /// directly on its event loop.
    static let first = 100
    /// The size of further pages: the largest limit that every list accepts.
    static let following = 1_000
}

extension PagedList where Page: CursorPage {
    /// - Parameters:
    ///   - start: `nextCursor` of an earlier page; `nil` starts at the beginning.
    ///   - first: The number of elements in the first page if the library chooses it.
    ///   - page: Fetches a page of at most `limit` elements at a cursor. It receives the previous page; `nil` for the
    ///     first.
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
