import StoreClient

/// What comes after a revision of the store, as it comes.
struct RevisionFollowing {
    /// The revision to start after; `nil`: from now on.
    let after: UInt64?
    /// The history that it is of; `nil`: any.
    var history: HistoryID?
    /// How much to show; `nil`: until interrupted.
    let count: Int?

    func printChanges(_ filter: WatchFilter, _ session: Session) async throws {
        try await forEach(session) { (revision, history) throws(StoreClientError) in
            try await session.client.watch(after: revision, of: history, filter)
        } show: { change in
            try session.output.tell(
                "\(session.text(change.committedAt))  \(change.sentence)", change.json, Change.record)
            return true
        }
    }

    /// - Parameters:
    ///   - follow: the stream of what comes after a revision of a history.
    ///   - show: tells whether an element was one to count.
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
                // It moves on while nothing passes the filter, too.
                defer { place = stream.revision }
                for try await element in stream {
                    remaining -= try await show(element) ? 1 : 0
                    guard remaining > 0 else { return }
                }
            }
        }
    }
}
