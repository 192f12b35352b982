import DequeModule

/// The work that waits for the thread of one kind of sessions. Users take turns, and the work of one user keeps its
/// order. A user therefore waits for at most one key derivation of another user, however many that user requests.
struct SessionQueue<Sessions: SessionHolder> {
    struct Work: Sendable {
        /// The session that the work continues, if any.
        var session: Sessions.HeldID?
        var run: @Sendable (Sessions) -> Void
    }

    /// Work of the daemon itself, which comes first.
    private var first: Deque<Work> = []
    private let requests = FairQueue<Work>(capacity: .init(items: Sessions.waitingRequestsMax), turnCost: 1)

    /// The sessions that have waiting work.
    var sessions: Set<Sessions.HeldID> {
        Set(requests.waiting.compactMap(\.session))
    }

    /// - Returns: false if there is no room for the work.
    mutating func append(_ work: Work, userID: UInt32) -> Bool {
        let owner = WorkOwner(userID: userID, connection: 0)
        return requests.append(.init(work: work, owner: owner, cost: 1, byteCount: 0))
    }

    /// Adds work of the daemon itself, which runs before all requests.
    mutating func prepend(_ work: Work) {
        first.append(work)
    }

    mutating func next() -> Work? {
        first.popFirst() ?? requests.next()?.work
    }
}
