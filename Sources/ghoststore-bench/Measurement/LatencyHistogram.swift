import Histogram

/// Latencies in nanoseconds, kept to three significant digits up to 100 s (https://hdrhistogram.org).
struct LatencyHistogram {
    private static let nanosecondsMax: UInt64 = 100_000_000_000
    private var histogram = Histogram<UInt64>(
        highestTrackableValue: nanosecondsMax, numberOfSignificantValueDigits: .three)

    @inline(__always)
    mutating func record(nanoseconds: UInt64) {
        _ = histogram.record(min(nanoseconds, Self.nanosecondsMax))
    }

    mutating func add(_ other: LatencyHistogram) {
        for value in other.histogram.recordedValues() {
            _ = histogram.record(value.value, count: value.count)
        }
    }

    var summary: LatencySummary {
        func microseconds(_ percentile: Double) -> Double {
            Double(histogram.valueAtPercentile(percentile)) / 1_000
        }
        return LatencySummary(
            count: histogram.totalCount, mean: histogram.mean / 1_000, p50: microseconds(50), p90: microseconds(90),
            p99: microseconds(99), p999: microseconds(99.9), max: Double(histogram.maxRecorded) / 1_000)
    }
}
