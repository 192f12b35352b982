/// One closed-loop run of one scenario.
struct Measurement: Codable, Sendable {
    var scenario: String
    var clients: Int
    /// Measured time, without warm-up.
    var seconds: Double
    var requests: UInt64
    var requestsPerSecond: Double
    /// Mean payload of an answer.
    var responseBytesMean: Double
    var latencyMicroseconds: LatencySummary
    /// Where the scenario mixes kinds of requests.
    var latencyMicrosecondsByKind: [String: LatencySummary]?
}

/// Percentiles of a latency, in microseconds.
struct LatencySummary: Codable, Sendable {
    var count: UInt64
    var mean: Double
    var p50: Double
    var p90: Double
    var p99: Double
    var p999: Double
    var max: Double
}

extension Collection<Double> {
    /// The middle value; the mean of the two middle ones where the count is even. Must not be empty.
    var median: Double {
        precondition(!isEmpty)
        let sorted = sorted()
        let middle = sorted.count / 2
        return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }
}
