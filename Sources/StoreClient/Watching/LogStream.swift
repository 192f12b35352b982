/// The entries of an append log, in order and each once, as they are appended. Neither a quiet log nor a lost
/// connection ends it, whatever deadline the client's other calls have. It ends by throwing: `.logNotFound` when the
/// log is deleted, also when another of its name was made since, `.historyChanged` when a backup took the store's place
/// or commits were lost (its entries are other ones from some number on: read them again), `.cancelled` when its task
/// is cancelled, `.clientClosed`, or `.answerUnreadable` when the daemon sends what is no answer. It waits while the
/// store is locked, unless the client says `with(waitsWhileLocked: false)`. If the store is locked when it begins, it
/// throws `.storeLocked`.
///
/// A consumer slower than the writers loses what an overwriting log overwrites before it is read: the sequence numbers
/// then jump. Nothing is kept for it but one page.
///
/// It ends, too, with `.tooManyWatches` when the connection has as many waiting reads as it may (64 unless the daemon
/// is configured otherwise) or its user as many as are left for all others, and with `.permissionDenied` when the right
/// to the log is taken away.
public struct LogStream: AsyncSequence, Sendable {
    /// One entry.
    public typealias Element = LogEntry
    /// What it ends with.
    public typealias Failure = StoreClientError

    /// How long the daemon holds a read that finds nothing.
    static let wait = Duration.seconds(25)

    let start: Iterator

    /// An iteration from the start of the stream.
    public func makeAsyncIterator() -> Iterator {
        start
    }

    /// Where an iteration stands. One task at a time may ask it.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        var client: StoreClient
        let name: String
        /// The number of the last entry taken.
        public internal(set) var lastSequence: UInt64
        /// Which log this follows: keep it with the last number. `nil` before the first page.
        public internal(set) var identity: LogIdentity?
        var page: ArraySlice<LogEntry> = []

        /// The next entry, waiting until there is one.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(StoreClientError) -> LogEntry? {
            while page.isEmpty {
                let next = try await client.logEntryPage(
                    name, after: lastSequence, of: identity, limit: PageSize.following, waiting: LogStream.wait)
                client = client.following()
                identity = next.identity ?? identity
                page = next.entries[...]
            }
            let entry = page.removeFirst()
            lastSequence = entry.sequence
            return entry
        }
    }
}
