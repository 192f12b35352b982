import StoreProtocol
import Synchronization

/// Counts what the server does. Every number is what it says: a request is counted when its last answer is written,
/// its duration runs from the arrival of its bytes to that moment.
final class ServerMetrics: Sendable {
    struct Call: Sendable {
        var succeeded: UInt64 = 0
        var failed: UInt64 = 0
        var latency = LatencyHistogram()
    }

    struct Totals: Sendable {
        var calls: [CallKind: Call] = [:]
        var errors: [ErrorReason: UInt64] = [:]
        var connectionsAccepted: UInt64 = 0
        var connectionsRefused: UInt64 = 0
        var connectionsCut: UInt64 = 0
        var receivedBytes: UInt64 = 0
        var sentBytes: UInt64 = 0
        var watchEvents: UInt64 = 0
    }

    private let totals = Mutex(Totals())

    /// A request got its last answer.
    func recordRequest(_ kind: CallKind, failure: ErrorReason?, nanoseconds: UInt64) {
        totals.withLock { totals in
            if let failure {
                totals.calls[kind, default: Call()].failed += 1
                totals.errors[failure, default: 0] += 1
            } else {
                totals.calls[kind, default: Call()].succeeded += 1
            }
            totals.calls[kind, default: Call()].latency.record(nanoseconds)
        }
    }

    /// Something failed that is no known request: a frame, or a payload that names no call.
    func recordError(_ reason: ErrorReason) {
        totals.withLock { $0.errors[reason, default: 0] += 1 }
    }

    func recordConnection(accepted: Bool) {
        totals.withLock { totals in
            if accepted {
                totals.connectionsAccepted += 1
            } else {
                totals.connectionsRefused += 1
            }
        }
    }

    /// A connection was closed whose answers were not taken.
    func recordConnectionCut() {
        totals.withLock { $0.connectionsCut += 1 }
    }

    func recordTraffic(receivedBytes: Int = 0, sentBytes: Int = 0) {
        totals.withLock { totals in
            totals.receivedBytes &+= UInt64(clamping: receivedBytes)
            totals.sentBytes &+= UInt64(clamping: sentBytes)
        }
    }

    func recordWatchEvent() {
        totals.withLock { $0.watchEvents += 1 }
    }

    var snapshot: Totals {
        totals.withLock { $0 }
    }
}

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
