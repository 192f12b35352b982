/// Call ids in the order they are to be sent. Ids of calls that ended meanwhile are left in for a while and skipped by
/// the taker.
struct CallQueue {
    private var ids: [UInt64] = []
    private var head = 0
    /// Taken or ended ids are dropped once there are this many and they are half of the array.
    private static let compactionCountMin = 256

    /// Ids that wait, those of calls that ended included.
    var count: Int { ids.count - head }

    mutating func append(_ id: UInt64) {
        ids.append(id)
    }

    mutating func prepend(_ earlier: [UInt64]) {
        ids.replaceSubrange(..<head, with: earlier)
        head = 0
    }

    mutating func popFirst() -> UInt64? {
        guard head < ids.count else {
            ids.removeAll(keepingCapacity: true)
            head = 0
            return nil
        }
        defer { compactIfWorthwhile() }
        head += 1
        return ids[head - 1]
    }

    /// Drops the ids of calls that ended, once they are most of a queue that is not short: each is passed over a
    /// bounded number of times.
    mutating func dropEnded(liveCount: Int, isLive: (UInt64) -> Bool) {
        guard count >= Self.compactionCountMin, count > 2 * liveCount else { return }
        ids = ids[head...].filter(isLive)
        head = 0
    }

    private mutating func compactIfWorthwhile() {
        if head >= Self.compactionCountMin && head * 2 >= ids.count {
            ids.removeFirst(head)
            head = 0
        }
    }
}
