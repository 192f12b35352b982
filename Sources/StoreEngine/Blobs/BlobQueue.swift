import DequeModule

/// What waits for the thread of exports and imports. Users take turns; what one user sent keeps its order. So a key
/// derivation that one asks for keeps another waiting once, however many are asked for.
struct BlobQueue {
    struct Work: Sendable {
        /// The export or import it goes on with, if any.
        var session: BlobSessionID?
        var run: @Sendable (BlobSessions) -> Void
    }

    /// Before everything else.
    private var first: Deque<Work> = []
    private var lanes: [UInt32: Deque<Work>] = [:]
    /// Those with a lane, in the order of their turns.
    private var order: Deque<UInt32> = []
    private var count = 0

    /// The exports and imports that something waits for.
    var sessions: Set<BlobSessionID> {
        Set(lanes.values.flatMap { $0.compactMap(\.session) })
    }

    /// A user whose requests wait may add another while they are fewer than the places left free.
    ///
    /// - Returns: false when there is no room for it.
    mutating func append(_ work: Work, userID: UInt32) -> Bool {
        let own = lanes[userID]?.count ?? 0
        guard own < BlobLimits.waitingRequestsMax - count else { return false }
        if own == 0 {
            order.append(userID)
        }
        lanes[userID, default: []].append(work)
        count += 1
        return true
    }

    /// Adds work of the daemon's own, which comes next.
    mutating func prepend(_ work: Work) {
        first.append(work)
    }

    mutating func next() -> Work? {
        if let work = first.popFirst() {
            return work
        }
        guard let userID = order.popFirst(), let work = lanes[userID]?.popFirst() else { return nil }
        if lanes[userID]?.isEmpty ?? true {
            lanes[userID] = nil
        } else {
            order.append(userID)
        }
        count -= 1
        return work
    }
}
