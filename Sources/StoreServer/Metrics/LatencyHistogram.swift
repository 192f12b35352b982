/// Counts durations in fixed buckets, as Prometheus histograms do.
struct LatencyHistogram: Hashable, Sendable {
    /// Upper bounds of the buckets, in nanoseconds; above the last one is the bucket of the rest.
    static let boundsNanoseconds: [UInt64] = [
        5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000, 2_000_000, 5_000_000, 10_000_000,
        50_000_000, 100_000_000, 500_000_000, 1_000_000_000, 10_000_000_000,
    ]

    private(set) var counts = [UInt64](repeating: 0, count: boundsNanoseconds.count + 1)
    private(set) var sumNanoseconds: UInt64 = 0

    var count: UInt64 {
        counts.reduce(0, +)
    }

    mutating func record(_ nanoseconds: UInt64) {
        var bucket = 0
        while bucket < Self.boundsNanoseconds.count, nanoseconds > Self.boundsNanoseconds[bucket] {
            bucket += 1
        }
        counts[bucket] += 1
        sumNanoseconds &+= nanoseconds
    }
}
