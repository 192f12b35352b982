import NIOCore

/// Call ids in the order they are to be sent. Ids of calls that ended meanwhile are left in for a while and skipped by
/// the taker.
struct CallQueue {
    private var ids = CircularBuffer<UInt64>()
    /// Ids of ended calls are dropped once there are this many ids.
    private static let compactionCountMin = 256

    /// Ids that wait, those of calls that ended included.
    var count: Int { ids.count }

    mutating func append(_ id: UInt64) {
        ids.append(id)
    }

    mutating func prepend(_ earlier: [UInt64]) {
        ids.insert(contentsOf: earlier, at: ids.startIndex)
    }

    mutating func popFirst() -> UInt64? {
        ids.popFirst()
    }

    /// Drops the ids of calls that ended, once they are most of a queue that is not short: each is passed over a
    /// bounded number of times.
    mutating func dropEnded(liveCount: Int, isLive: (UInt64) -> Bool) {
        guard count >= Self.compactionCountMin, count > 2 * liveCount else { return }
        ids.removeAll { !isLive($0) }
    }
}
