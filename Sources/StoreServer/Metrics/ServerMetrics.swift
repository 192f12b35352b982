import StoreBasics
import StoreProtocol
import Synchronization

/// Counts what the server does. Every number is what it says: a request is counted when its last answer is written,
/// its duration runs from the arrival of its bytes to that moment.
///
/// Counted on the path of every request: by any thread, without a lock, an allocation or a dictionary.
final class ServerMetrics: Sendable {
    struct Call: Sendable {
        var succeeded: UInt64 = 0
        var failed: UInt64 = 0
        /// In nanoseconds.
        var latency = HistogramCounts(.nanoseconds)
    }

    struct Totals: Sendable {
        /// Those that were made.
        var calls: [CallKind: Call] = [:]
        /// Those that were answered.
        var errors: [ErrorReason: UInt64] = [:]
        var connectionsAccepted: UInt64 = 0
        var connectionsRefused: UInt64 = 0
        var connectionsCut: UInt64 = 0
        var receivedBytes: UInt64 = 0
        var sentBytes: UInt64 = 0
        var watchEvents: UInt64 = 0
        var replicaMerged: UInt64 = 0
        /// By the reason's position.
        var replicaNotMerged: [UInt64] = ReplicaReason.allCases.map { _ in 0 }
    }

    private final class CallCounter: Sendable {
        let succeeded = EventCounter()
        let failed = EventCounter()
        let latency = DoublingHistogram(.nanoseconds)
    }

    /// By the call's position.
    private let calls = CallKind.allCases.map { _ in CallCounter() }
    /// By the reason's position.
    private let errors = ErrorReason.allCases.map { _ in EventCounter() }
    private let connectionsAccepted = EventCounter()
    private let connectionsRefused = EventCounter()
    private let connectionsCut = EventCounter()
    private let receivedBytes = EventCounter()
    private let sentBytes = EventCounter()
    private let watchEvents = EventCounter()
    private let replicaMerged = EventCounter()
    /// By the reason's position.
    private let replicaNotMerged = ReplicaReason.allCases.map { _ in EventCounter() }

    /// A request got its last answer.
    func recordRequest(_ kind: CallKind, failure: ErrorReason?, nanoseconds: UInt64) {
        let call = calls[kind.position]
        if let failure {
            call.failed.add(1)
            recordError(failure)
        } else {
            call.succeeded.add(1)
        }
        call.latency.record(nanoseconds)
    }

    /// Something failed. Of what is no known request, a frame or a payload that names no call, nothing else is counted.
    func recordError(_ reason: ErrorReason) {
        errors[reason.position].add(1)
    }

    func recordConnection(accepted: Bool) {
        (accepted ? connectionsAccepted : connectionsRefused).add(1)
    }

    /// A connection was closed whose answers were not taken.
    func recordConnectionCut() {
        connectionsCut.add(1)
    }

    func recordReceived(bytes: Int) {
        receivedBytes.add(UInt64(clamping: bytes))
    }

    func recordSent(bytes: Int) {
        sentBytes.add(UInt64(clamping: bytes))
    }

    func recordWatchEvent() {
        watchEvents.add(1)
    }

    /// A message of the group's log was handed in, and merged, or not.
    func recordHandedIn(_ reason: ReplicaReason?) {
        (reason.map { replicaNotMerged[$0.position] } ?? replicaMerged).add(1)
    }

    var snapshot: Totals {
        var totals = Totals()
        for (kind, counter) in zip(CallKind.allCases, calls) {
            let call = Call(
                succeeded: counter.succeeded.value, failed: counter.failed.value, latency: counter.latency.snapshot)
            if call.succeeded > 0 || call.failed > 0 {
                totals.calls[kind] = call
            }
        }
        for (reason, counter) in zip(ErrorReason.allCases, errors) where counter.value > 0 {
            totals.errors[reason] = counter.value
        }
        totals.connectionsAccepted = connectionsAccepted.value
        totals.connectionsRefused = connectionsRefused.value
        totals.connectionsCut = connectionsCut.value
        totals.receivedBytes = receivedBytes.value
        totals.sentBytes = sentBytes.value
        totals.watchEvents = watchEvents.value
        totals.replicaMerged = replicaMerged.value
        totals.replicaNotMerged = replicaNotMerged.map(\.value)
        return totals
    }
}

/// A number that only grows, from any thread.
private final class EventCounter: Sendable {
    private let count = Atomic<UInt64>(0)

    func add(_ amount: UInt64) {
        count.wrappingAdd(amount, ordering: .relaxed)
    }

    var value: UInt64 { count.load(ordering: .relaxed) }
}
