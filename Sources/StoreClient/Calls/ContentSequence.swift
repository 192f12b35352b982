/// Content that the daemon sends in parts, such as the chunks of a file. Each part is requested only when it is needed,
/// and each iteration reads the content again from its beginning. After the last part, and after an error, the sequence
/// is over.
public struct ContentSequence<Element: Sendable>: AsyncSequence, Sendable {
    /// The error that `next()` throws if the content cannot be read to its end.
    public typealias Failure = StoreClientError

    let source: any ContentSource<Element>

    /// Creates an iterator that reads from the beginning.
    public func makeAsyncIterator() -> Iterator {
        Iterator(source: source)
    }

    /// An iterator that reads one part after the other. Only one task at a time may use it.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        fileprivate var source: any ContentSource<Element>
        private var hasEnded = false

        fileprivate init(source: any ContentSource<Element>) {
            self.source = source
        }

        /// True after the last part, even before `next` has returned `nil`.
        package var isOver: Bool { hasEnded || source.isAtEnd }

        /// Returns the next part; `nil` after the last one.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(StoreClientError) -> Element? {
            guard !isOver else { return nil }
            // An error ends the iteration too.
            hasEnded = true
            let part = try await source.next()
            hasEnded = part == nil
            return part
        }
    }
}

/// The state of a read of some content.
protocol ContentSource<Element>: Sendable {
    associatedtype Element: Sendable

    /// True if no more parts follow.
    var isAtEnd: Bool { get }

    /// Returns the next part; `nil` if there are no more.
    mutating func next() async throws(StoreClientError) -> Element?
}
