/// The entries of all devices in an append log, in pages, as they arrive. Store the `place` of a page together with the
/// results of processing its entries; a new stream that starts after this `place` continues with the next entries.
///
/// Neither the lack of new entries nor a lost connection ends the stream. It ends only by throwing an error;
/// `LogStream` lists the reasons.
public struct LogPageStream: AsyncSequence, Sendable {
    /// A page with at least one entry.
    public typealias Element = LogEntryPage
    /// The error that `next()` throws when the stream ends.
    public typealias Failure = StoreClientError

    let start: Iterator

    /// Returns an iterator that starts at the beginning of the stream.
    public func makeAsyncIterator() -> Iterator {
        start
    }

    /// The state of an iteration. Only one task at a time may use it.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        var client: StoreClient
        let name: String
        /// The position after the last page.
        public internal(set) var place: LogPlace?

        /// Returns the next page, and waits until there is one.
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
