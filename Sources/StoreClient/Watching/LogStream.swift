/// The entries of an append log, in order and each once, as they are appended. Neither a quiet log nor a lost
/// connection ends it, whatever deadline the client's other calls have. It ends by throwing: `.logNotFound` when the
/// log is deleted, `.storeLocked`, `.cancelled` when its task is cancelled, `.clientClosed`, or
/// `.answerUnreadable` when the daemon sends what is no answer.
///
/// A consumer slower than the writers loses what an overwriting log overwrites before it is read: the sequence numbers
/// then jump. Nothing is kept for it but one page.
///
/// It ends, too, with `.tooManyWatches` when the connection has as many watches and waiting reads as it may: 64 unless
/// the daemon is configured otherwise.
public struct LogStream: AsyncSequence, Sendable {
    /// One entry.
    public typealias Element = LogEntry
    /// What it ends with.
    public typealias Failure = StoreClientError

    let client: StoreClient
    let name: String
    let after: UInt64

    init(client: StoreClient, name: String, after: UInt64) {
        // A follower waits for as long as it takes, for messages and for the daemon.
        self.client = client.with(deadline: nil)
        self.name = name
        self.after = after
    }

    /// An iteration from the start of the stream.
    public func makeAsyncIterator() -> Iterator {
        Iterator(client: client, name: name, lastSequence: after)
    }

    /// Where an iteration stands. One task at a time may ask it.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        /// How long the daemon holds a read that finds nothing.
        private static let wait = Duration.seconds(25)
        private static let pageMessages = 1_000

        let client: StoreClient
        let name: String
        var lastSequence: UInt64
        private var page: ArraySlice<LogEntry> = []

        init(client: StoreClient, name: String, lastSequence: UInt64) {
            self.client = client
            self.name = name
            self.lastSequence = lastSequence
        }

        /// The next entry, waiting until there is one.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(StoreClientError) -> LogEntry? {
            while page.isEmpty {
                page =
                    try await client.logEntryPage(
                        name, after: lastSequence, limit: Self.pageMessages, waiting: Self.wait
                    ).entries[...]
            }
            let entry = page.removeFirst()
            lastSequence = entry.sequence
            return entry
        }

        /// The next entry, waiting until there is one.
        public mutating func next() async throws(StoreClientError) -> LogEntry? {
            try await next(isolation: nil)
        }
    }
}
