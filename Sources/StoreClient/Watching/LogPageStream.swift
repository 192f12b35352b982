/// The entries of all devices in an append log, in pages, as they come. Keep the `place` of a page with what was made
/// of its entries: a stream from there on gives what follows.
///
/// Neither a quiet log nor a lost connection ends it. It ends by throwing, as `LogStream` does.
public struct LogPageStream: AsyncSequence, Sendable {
    /// A page with at least one entry.
    public typealias Element = LogEntryPage
    /// What it ends with.
    public typealias Failure = StoreClientError

    let start: Iterator

    /// An iteration from the start of the stream.
    public func makeAsyncIterator() -> Iterator {
        start
    }

    /// Where an iteration stands. One task at a time may ask it.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        var client: StoreClient
        let name: String
        /// Behind the last page.
        public internal(set) var place: LogPlace?

        /// The next page, waiting until there is one.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(StoreClientError) -> LogEntryPage? {
            while true {
                let page = try await client.logEntryPageOfAllDevices(
                    name, after: place, limit: PageSize.following, waiting: LogStream.wait)
                client = client.following()
                place = page.place
                if !page.entries.isEmpty { return page }
            }
        }
    }
}
