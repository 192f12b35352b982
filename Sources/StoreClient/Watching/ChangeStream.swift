/// The changes of a store, in the order of their revisions, each exactly once. A lost connection or a locked store does
/// not end the stream: it continues after the last received change when the store is open again. Only one task at a
/// time may iterate.
///
/// The stream ends by throwing:
///
/// - `.changesCompacted` if the store no longer has the changes that would come next;
/// - `.historyChanged` if a backup was restored, or the store's last commits were lost, even during an outage;
/// - `.tooManyWatches` if the connection has as many watches as allowed (64 unless the daemon is configured otherwise),
///   or its user has used up its share of all watches;
/// - `.revisionAhead` if the store has not reached the revision to continue after;
/// - `.permissionDenied` if the right to read changes is taken away;
/// - `.storeLocked` if the store is locked, with `StoreClient.with(waitsWhileLocked: false)`;
/// - `.cancelled` if its task is cancelled, and `.clientClosed`;
/// - `.answerUnreadable` if the daemon sends invalid bytes.
///
/// After `.changesCompacted` and `.historyChanged`, get `Status.position`, then read the data again, then watch after
/// that position.
///
/// A consumer that is slower than the store loses nothing. Above `ClientConfiguration.watchBufferChangesMax` changes,
/// the watch unsubscribes, and later subscribes again at the same revision.
public struct ChangeStream: AsyncSequence, ResumableStream, Sendable {
    /// A change that passes the watch's filter.
    public typealias Element = Change
    /// The error that `next()` throws when the stream ends.
    public typealias Failure = StoreClientError

    let session: WatchSession
    /// The revision at which the watch began. The stream contains every matching change with a greater revision.
    public let startRevision: UInt64

    /// The revision up to which every matching change was returned. A later watch can continue after it. The revision
    /// also advances, about every 10,000 revisions, while no change matches.
    public var revision: UInt64 {
        session.consumedRevision
    }

    /// The history of the revisions. Store it together with the revision, and pass both to `watch(after:of:_:)`. `nil`
    /// if the daemon does not report it.
    public var historyID: HistoryID? {
        session.history
    }

    /// Returns an iterator. All iterators share one position.
    public func makeAsyncIterator() -> Iterator {
        Iterator(session: session)
    }

    /// The state of the iteration. Only one task at a time may use it.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        let session: WatchSession

        /// Returns the next change, and waits until there is one.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(StoreClientError) -> Change? {
            try await session.next()
        }
    }
}

/// A stream that another stream can continue, from a revision of a history on.
package protocol ResumableStream: AsyncSequence, Sendable where Failure == StoreClientError {
    var revision: UInt64 { get }
    var historyID: HistoryID? { get }
}
