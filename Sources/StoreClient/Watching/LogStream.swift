/// The entries of an append log as they are appended, in order and each once. Neither the lack of new entries nor a
/// lost connection ends the stream, whatever deadline the client's other calls have. It waits while the store is
/// locked, unless the client has `with(waitsWhileLocked: false)`.
///
/// The stream ends by throwing:
///
/// - `.logNotFound` if the log was deleted, even if another log with its name was created since;
/// - `.historyChanged` if a backup was restored or commits were lost, so that the log's entries may differ: read them
///   again;
/// - `.storeLocked` if the store is locked when the stream begins, or later with `with(waitsWhileLocked: false)`;
/// - `.tooManyWatches` if the connection has as many waiting reads as allowed (64 unless the daemon is configured
///   otherwise), or its user has used up its share of all waiting reads;
/// - `.permissionDenied` if the right to read the log is taken away;
/// - `.cancelled` if its task is cancelled, and `.clientClosed`;
/// - `.answerUnreadable` if the daemon sends invalid bytes.
///
/// The stream buffers only one page. If a log overwrites its oldest entries, a consumer that is slower than the writers
/// loses the overwritten entries; the sequence numbers then jump.
public struct LogStream: AsyncSequence, Sendable {
    /// An entry that was appended to the log.
    public typealias Element = LogEntry
    /// The error that `next()` throws when the stream ends.
    public typealias Failure = StoreClientError

    /// The time that the daemon holds a read that finds nothing.
    static let wait = Duration.seconds(25)

    let start: Iterator

    /// Returns an iterator that starts at the beginning of the stream.
    public func makeAsyncIterator() -> Iterator {
        start
    }

    /// The state of an iteration. Only one task at a time may use it.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        var client: StoreClient
        let name: String
        /// The number of the last returned entry.
        public internal(set) var lastSequence: UInt64
        /// The identity of the log. Store it together with ``lastSequence``. `nil` before the first page.
        public internal(set) var identity: LogIdentity?
        var page: ArraySlice<LogEntry> = []

        /// Returns the next entry, and waits until there is one.
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
