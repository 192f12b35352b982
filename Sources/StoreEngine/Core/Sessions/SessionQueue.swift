import DequeModule

/// What waits for the thread of sessions of one kind: users in turns, and what one user sent in its order. So a key
/// derivation that one asks for keeps another waiting once, however many are asked for.
struct SessionQueue<Sessions: SessionHolder> {
    struct Work: Sendable {
        /// The session it goes on with, if any.
        var session: Sessions.HeldID?
        var run: @Sendable (Sessions) -> Void
    }

    /// Before everything else.
    private var first: Deque<Work> = []
    private let requests = FairQueue<Work>(capacity: .init(items: Sessions.waitingRequestsMax), turnCost: 1)

    /// The sessions that something waits for.
    var sessions: Set<Sessions.HeldID> {
        Set(requests.waiting.compactMap(\.session))
    }

    /// - Returns: false when there is no room for it.
    mutating func append(_ work: Work, userID: UInt32) -> Bool {
        let owner = WorkOwner(userID: userID, connection: 0)
        return requests.append(.init(work: work, owner: owner, cost: 1, byteCount: 0))
    }

    /// Adds work of the daemon's own, which comes next.
    mutating func prepend(_ work: Work) {
        first.append(work)
    }

    mutating func next() -> Work? {
        first.popFirst() ?? requests.next()?.work
    }
}
