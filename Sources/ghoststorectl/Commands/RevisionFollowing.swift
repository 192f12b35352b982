import StoreClient

/// Prints the events after a revision of the store as they happen.
struct RevisionFollowing {
    /// The revision to start after; `nil` starts now.
    let after: UInt64?
    /// The history of the revision; `nil` accepts any.
    var history: HistoryID?
    /// The number of events to print; `nil` continues until interrupted.
    let count: Int?

    func printChanges(_ filter: WatchFilter, _ session: Session) async throws {
        try await forEach(session) { (revision, history) throws(StoreClientError) in
            try await session.client.watch(after: revision, of: history, filter)
        } show: { change in
            try session.output.printEvent(
                "\(session.text(change.committedAt))  \(change.sentence)", change.json, Change.record)
            return true
        }
    }

    /// - Parameters:
    ///   - follow: Returns the stream of events after a revision of a history.
    ///   - show: Prints an element, and returns true if the element counts toward `count`.
    func forEach<Stream: ResumableStream>(
        _ session: Session, _ follow: (UInt64?, HistoryID?) async throws(StoreClientError) -> Stream,
        show: (Stream.Element) async throws -> Bool
    ) async throws {
        let following = Following(session: session)
        var remaining = count ?? .max
        var place: UInt64?
        var history = history
        try await following.run {
            try await following.acrossLocks(hasBegun: { place != nil }) {
                let stream = try await follow(place ?? after, history)
                history = stream.historyID ?? history
                if place == nil, after == nil {
                    Diagnostics.write("watching from revision \(stream.revision)")
                }
                // The stream's revision is newer than the last event if later events did not pass the filter.
                defer { place = stream.revision }
                for try await element in stream {
                    remaining -= try await show(element) ? 1 : 0
                    guard remaining > 0 else { return }
                }
            }
        }
    }
}
