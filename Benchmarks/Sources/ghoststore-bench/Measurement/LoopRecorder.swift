import Glibc
import Histogram
import StoreBasics

/// The counters of one run of a loop, closed or paced.
struct LoopRecorder {
    let kinds: [String]
    /// The time before which responses belong to the warm-up.
    private(set) var countFrom: UInt64 = 0
    /// The time after which responses are not counted.
    private(set) var countUntil: UInt64 = 0
    private(set) var histograms: [LatencyHistogram]
    private(set) var answerCount: UInt64 = 0
    private(set) var answerByteCount: UInt64 = 0
    private(set) var failureCount: UInt64 = 0
    private(set) var firstFailure = ""

    init(kinds: [String]) {
        self.kinds = kinds
        histograms = kinds.map { _ in LatencyHistogram() }
    }

    /// Begins the warm-up.
    mutating func begin(_ duration: LoopDuration) {
        countFrom = MonotonicClock.nanoseconds + duration.warmUpSeconds.secondsAsNanoseconds
        countUntil = countFrom + duration.seconds.secondsAsNanoseconds
    }

    @inline(__always)
    mutating func record(kind: Int, sentAt: UInt64, answeredAt: UInt64, byteCount: Int, failure: String?) {
        if let failure {
            noteFailure(failure)
        }
        guard answeredAt >= countFrom, answeredAt <= countUntil else { return }
        answerCount += 1
        answerByteCount += UInt64(byteCount)
        histograms[kind].record(nanoseconds: answeredAt - sentAt)
    }

    private mutating func noteFailure(_ failure: String) {
        failureCount += 1
        if firstFailure.isEmpty {
            firstFailure = failure
        }
    }

    /// Adds the counters of another loop of the same run.
    mutating func add(_ other: LoopRecorder) {
        precondition(other.kinds == kinds)
        for index in histograms.indices {
            histograms[index].add(other.histograms[index])
        }
        answerCount += other.answerCount
        answerByteCount += other.answerByteCount
    }

    func requireNoFailure() throws(BenchError) {
        guard failureCount == 0 else { throw BenchError("\(failureCount) requests failed; the first: \(firstFailure)") }
    }

    func measurement(scenario: String, clientCount: Int) throws(BenchError) -> Measurement {
        guard answerCount > 0 else {
            throw BenchError("\(scenario): no answer in the measured time; hint: raise --seconds")
        }
        var all = LatencyHistogram()
        for histogram in histograms {
            all.add(histogram)
        }
        let seconds = Double(countUntil - countFrom) / 1e9
        var byKind: [String: LatencySummary]?
        if kinds.count > 1 {
            byKind = Dictionary(uniqueKeysWithValues: zip(kinds, histograms.map(\.summary)))
        }
        return Measurement(
            scenario: scenario, clients: clientCount, seconds: seconds, requests: answerCount,
            requestsPerSecond: Double(answerCount) / seconds,
            responseBytesMean: Double(answerByteCount) / Double(answerCount), latencyMicroseconds: all.summary,
            latencyMicrosecondsByKind: byKind)
    }
}

/// Latencies in nanoseconds, recorded with three significant digits up to 100 s (https://hdrhistogram.org).
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

/// Blocks this thread for some milliseconds.
func pause(milliseconds: Double) {
    usleep(UInt32(milliseconds * 1_000))
}

extension Double {
    var secondsAsNanoseconds: UInt64 { UInt64(self * 1e9) }
}
