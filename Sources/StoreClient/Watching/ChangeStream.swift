import StoreProtocol

/// The changes of a store, in the order of their revisions, each exactly once. A lost connection does not end it: it
/// goes on after the last change received. It ends by throwing: `.changesCompacted` when the daemon no longer keeps
/// the changes it would have to go on with (read the data again, then watch from the revision found there),
/// `.storeLocked`, `.cancelled` when its task is cancelled, `.clientClosed`, or
/// `.answerUnreadable` when the daemon sends what is no answer.
///
/// A consumer slower than the store loses nothing: past `ClientConfiguration.watchBufferChangesMax` changes the watch
/// stops listening, and subscribes again where it stopped. One task at a time may iterate.
///
/// It ends, too, with `.tooManyWatches` when the connection has as many watches and waiting reads as it may (64 unless
/// the daemon is configured otherwise), and with `.revisionAhead` when the store it finds after a lost connection is
/// another one, which has not come as far.
public struct ChangeStream: AsyncSequence, Sendable {
    /// One change.
    public typealias Element = Change
    /// What it ends with.
    public typealias Failure = StoreClientError

    let session: WatchSession
    /// Where the watch stood when it was made: the stream holds every matching change with a greater revision.
    public let startRevision: UInt64

    /// Every matching change up to and including this revision has been taken: where a later watch can go on.
    public var revision: UInt64 {
        session.takenRevision
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

        /// The next change, waiting until there is one.
        public mutating func next() async throws(StoreClientError) -> Change? {
            try await session.next()
        }
    }
}

/// Which changes a watch gets.
public struct WatchFilter: Hashable, Sendable {
    /// Empty: all kinds.
    public var kinds: [Change.Kind]
    /// Only this conversation and its messages.
    public var conversationID: String?
    /// Only values of this scene, and those that all scenes share. Excludes `conversationID`.
    public var scene: String?

    /// Without conditions: every change.
    public init(kinds: [Change.Kind] = [], conversationID: String? = nil, scene: String? = nil) {
        self.kinds = kinds
        self.conversationID = conversationID
        self.scene = scene
    }
}

extension WireWatchRequest {
    init(after revision: UInt64?, _ filter: WatchFilter) {
        self.init()
        if let revision {
            afterRevision = revision
        }
        kinds = filter.kinds.map(WireEntityKind.init)
        conversationID = filter.conversationID ?? ""
        scene = filter.scene ?? ""
    }
}
