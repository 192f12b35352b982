/// The entries of all devices in an append log, in pages, as they come. Keep the `place` of a page with what was made
/// of its entries: a stream from there on gives what follows.
///
/// Neither a quiet log nor a lost connection ends it. It ends by throwing, as `LogStream` does.
public struct LogPageStream: AsyncSequence, Sendable {
    /// A page with at least one entry.
    public typealias Element = LogEntryPage
    /// What it ends with.
    public typealias Failure = StoreClientError

    private let client: StoreClient
    private let name: String
    private let place: LogPlace?

    init(client: StoreClient, name: String, after place: LogPlace?) {
        // A follower waits for as long as it takes, for messages and for the daemon.
        self.client = client.with(deadline: nil)
        self.name = name
        self.place = place
    }

    /// An iteration from the start of the stream.
    public func makeAsyncIterator() -> Iterator {
        Iterator(client: client, name: name, place: place)
    }

    /// Where an iteration stands. One task at a time may ask it.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        /// How long the daemon holds a read that finds nothing.
        private static let wait = Duration.seconds(25)
        private static let pageEntries = 1_000

        private var client: StoreClient
        private let name: String
        /// Behind the last page.
        public private(set) var place: LogPlace?

        init(client: StoreClient, name: String, place: LogPlace?) {
            self.client = client
            self.name = name
            self.place = place
        }

        /// The next page, waiting until there is one.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(StoreClientError) -> LogEntryPage? {
            while true {
                let page = try await client.logEntryPageOfAllDevices(
                    name, after: place, limit: Self.pageEntries, waiting: Self.wait)
                client = client.following()
                place = page.place
                if !page.entries.isEmpty { return page }
            }
        }
    }
}
