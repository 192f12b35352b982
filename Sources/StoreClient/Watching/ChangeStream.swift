/// The changes of a store, in the order of their revisions, each exactly once. A lost connection does not end it, and
/// neither does a store that is locked: it goes on after the last change received when the store is open again. It ends
/// by throwing: `.changesCompacted` when the daemon no longer keeps the changes it would have to go on with,
/// `.historyChanged` when a backup took the store's place or commits at its end were lost, also during an outage (with
/// both: read the data again, then watch from the revision found there), `.cancelled` when its task is cancelled,
/// `.clientClosed`, or `.answerUnreadable` when the daemon sends what is no answer. With
/// `StoreClient.with(waitsWhileLocked: false)` a lock ends it, too, with `.storeLocked`.
///
/// A consumer slower than the store loses nothing: past `ClientConfiguration.watchBufferChangesMax` changes the watch
/// stops listening, and subscribes again where it stopped. One task at a time may iterate.
///
/// It ends, too, with `.tooManyWatches` when the connection has as many watches as it may (64 unless the daemon is
/// configured otherwise) or its user as many as are left for all others, with `.revisionAhead` when the revision to go
/// on after is one that the store has not reached, and with `.permissionDenied` when the right to changes is taken
/// away.
public struct ChangeStream: AsyncSequence, ResumableStream, Sendable {
    /// One change.
    public typealias Element = Change
    /// What it ends with.
    public typealias Failure = StoreClientError

    let session: WatchSession
    /// Where the watch stood when it was made: the stream holds every matching change with a greater revision.
    public let startRevision: UInt64

    /// Every matching change up to and including this revision has been taken: where a later watch can go on. It also
    /// moves on while nothing matches, every 10,000 revisions or so.
    public var revision: UInt64 {
        session.takenRevision
    }

    /// The history that the revisions are of: keep it with the revision, and hand both to `watch(after:of:_:)`. `nil`
    /// from a daemon that does not tell.
    public var historyID: HistoryID? {
        session.history
    }

    /// The iteration: there is one, whose place all iterators share.
    public func makeAsyncIterator() -> Iterator {
        Iterator(session: session)
    }

    /// Where an iteration stands. One task at a time may ask it.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        let session: WatchSession

        /// The next change, waiting until there is one.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(StoreClientError) -> Change? {
            try await session.next()
        }
    }
}

/// A stream that another one can go on with: from a revision of a history on.
package protocol ResumableStream: AsyncSequence, Sendable where Failure == StoreClientError {
    var revision: UInt64 { get }
    var historyID: HistoryID? { get }
}
