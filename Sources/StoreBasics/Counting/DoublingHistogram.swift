import Synchronization

/// How often values fell into buckets of which each reaches twice as far as the one before. Any thread may count, at
/// the cost of two atomic additions, without a lock or an allocation.
package final class DoublingHistogram: Sendable {
    package let scale: DoublingScale
    private let counts: InlineArray<32, Atomic<UInt64>>
    private let sum = Atomic<UInt64>(0)

    package init(_ scale: DoublingScale) {
        self.scale = scale
        counts = InlineArray { _ in Atomic(0) }
    }

    package func record(_ value: UInt64) {
        counts[scale.bucket(of: value)].wrappingAdd(1, ordering: .relaxed)
        sum.wrappingAdd(value, ordering: .relaxed)
    }

    /// What was recorded so far; what is being recorded meanwhile may be in one of the numbers and not in another.
    package var snapshot: HistogramCounts {
        var snapshot = HistogramCounts(scale)
        for bucket in snapshot.counts.indices {
            snapshot.counts[bucket] = counts[bucket].load(ordering: .relaxed)
        }
        snapshot.sum = sum.load(ordering: .relaxed)
        return snapshot
    }
}

/// Where the buckets of a histogram end: at powers of two, with a last bucket for the rest.
package struct DoublingScale: Hashable, Sendable {
    /// Of two: the end of the first bucket.
    private let firstExponent: Int
    /// Without that of the rest.
    private let endCount: Int

    /// - Parameters: the exponents of two at which the first and the last bucket end.
    private init(_ first: Int, through last: Int) {
        precondition(
            first >= 0 && last > first && last - first < 31 && last < 64, "a histogram must have at most 32 buckets")
        firstExponent = first
        endCount = last - first + 1
    }

    /// Durations in nanoseconds: 4 µs to 9 seconds.
    package static let nanoseconds = DoublingScale(12, through: 33)
    /// Sizes in bytes: 256 to 16 MiB.
    package static let bytes = DoublingScale(8, through: 24)
    /// Numbers of things: 1 to 4,096.
    package static let items = DoublingScale(0, through: 12)

    /// The greatest values that the buckets take, but for the last one, which takes every value.
    package var ends: [UInt64] {
        (0..<endCount).map { 1 << UInt64(firstExponent + $0) }
    }

    func bucket(of value: UInt64) -> Int {
        let exponent = value <= 1 ? 0 : UInt64.bitWidth - (value - 1).leadingZeroBitCount
        return min(max(exponent - firstExponent, 0), endCount)
    }
}

/// What a histogram held at some moment.
package struct HistogramCounts: Hashable, Sendable {
    package let scale: DoublingScale
    /// By bucket, the last one that of the rest.
    package internal(set) var counts: [UInt64]
    package internal(set) var sum: UInt64 = 0

    package init(_ scale: DoublingScale) {
        self.scale = scale
        counts = [UInt64](repeating: 0, count: scale.ends.count + 1)
    }

    package var count: UInt64 { counts.reduce(0, &+) }
}
