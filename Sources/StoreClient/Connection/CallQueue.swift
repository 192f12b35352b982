import NIOCore

/// The IDs of calls in the order in which they will be sent. IDs of ended calls may remain for a while; the code that
/// takes an ID skips them.
struct CallQueue {
    private var ids = CircularBuffer<UInt64>()
    /// The number of IDs above which the IDs of ended calls may be dropped.
    private static let compactionCountMin = 256

    /// The number of waiting IDs, including the IDs of ended calls.
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

    /// Drops the IDs of ended calls if they are most of a long queue. So each ID is moved a limited number of times.
    mutating func dropEnded(liveCount: Int, isLive: (UInt64) -> Bool) {
        guard count >= Self.compactionCountMin, count > 2 * liveCount else { return }
        ids.removeAll { !isLive($0) }
    }
}
