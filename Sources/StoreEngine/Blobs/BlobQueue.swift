import DequeModule

/// What waits for the thread of exports and imports: users in turns, and what one user sent in its order. So a key
/// derivation that one asks for keeps another waiting once, however many are asked for.
struct BlobQueue {
    struct Work: Sendable {
        /// The export or import it goes on with, if any.
        var session: BlobSessionID?
        var run: @Sendable (BlobSessions) -> Void
    }

    /// Before everything else.
    private var first: Deque<Work> = []
    private let requests = FairQueue<Work>(capacity: .init(items: BlobLimits.waitingRequestsMax), turnCost: 1)

    /// The exports and imports that something waits for.
    var sessions: Set<BlobSessionID> {
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
