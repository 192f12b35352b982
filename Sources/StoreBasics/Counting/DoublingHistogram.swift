import Synchronization

/// A histogram whose buckets double in size. Any thread may record values, at the cost of two atomic additions, without
/// a lock or an allocation.
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

    /// The values recorded so far. A value that is being recorded at the same time may be included in one of the
    /// numbers and not in another.
    package var snapshot: HistogramCounts {
        var snapshot = HistogramCounts(scale)
        for bucket in snapshot.counts.indices {
            snapshot.counts[bucket] = counts[bucket].load(ordering: .relaxed)
        }
        snapshot.sum = sum.load(ordering: .relaxed)
        return snapshot
    }
}

/// The buckets of a histogram. They end at powers of two; the last bucket contains all greater values.
package struct DoublingScale: Hashable, Sendable {
    /// The exponent of two at which the first bucket ends.
    private let firstExponent: Int
    /// The number of buckets that have an end: all buckets except the last one.
    private let endCount: Int

    /// - Parameters:
    ///   - first: the exponent of two at which the first bucket ends.
    ///   - last: the exponent of two at which the bucket before the last bucket ends.
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
    /// Counts: 1 to 4,096.
    package static let items = DoublingScale(0, through: 12)

    /// The greatest value of each bucket except the last, which has no limit.
    package var ends: [UInt64] {
        (0..<endCount).map { 1 << UInt64(firstExponent + $0) }
    }

    func bucket(of value: UInt64) -> Int {
        let exponent = value <= 1 ? 0 : UInt64.bitWidth - (value - 1).leadingZeroBitCount
        return min(max(exponent - firstExponent, 0), endCount)
    }
}

/// A copy of the content of a histogram.
package struct HistogramCounts: Hashable, Sendable {
    package let scale: DoublingScale
    /// The number of values in each bucket. The last bucket has no limit.
    package internal(set) var counts: [UInt64]
    package internal(set) var sum: UInt64 = 0

    package init(_ scale: DoublingScale) {
        self.scale = scale
        counts = [UInt64](repeating: 0, count: scale.ends.count + 1)
    }

    package var count: UInt64 { counts.reduce(0, &+) }
}
