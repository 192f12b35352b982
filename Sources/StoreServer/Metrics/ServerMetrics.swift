import StoreBasics
import StoreProtocol
import Synchronization

/// Counts the work of the server. A request is counted when its last answer is written; its duration runs from the
/// arrival of its bytes to that moment.
///
/// Every request is counted, on any thread, without a lock, an allocation or a dictionary.
final class ServerMetrics: Sendable {
    struct Call: Sendable {
        var succeeded: UInt64 = 0
        var failed: UInt64 = 0
        var latency = HistogramCounts(.nanoseconds)
    }

    struct Totals: Sendable {
        /// Only calls that were made at least once.
        var calls: [CallKind: Call] = [:]
        /// Only errors that occurred at least once.
        var errors: [ErrorReason: UInt64] = [:]
        var connectionsAccepted: UInt64 = 0
        var connectionsRefused: UInt64 = 0
        var connectionsCut: UInt64 = 0
        var receivedBytes: UInt64 = 0
        var sentBytes: UInt64 = 0
        var watchEvents: UInt64 = 0
        var replicaMerged: UInt64 = 0
        /// Indexed by the reason's position.
        var replicaNotMerged: [UInt64] = ReplicaReason.allCases.map { _ in 0 }
    }

    private final class CallCounter: Sendable {
        let succeeded = EventCounter()
        let failed = EventCounter()
        let latency = DoublingHistogram(.nanoseconds)
    }

    /// Indexed by the call's position.
    private let calls = CallKind.allCases.map { _ in CallCounter() }
    /// Indexed by the reason's position.
    private let errors = ErrorReason.allCases.map { _ in EventCounter() }
    private let connectionsAccepted = EventCounter()
    private let connectionsRefused = EventCounter()
    private let connectionsCut = EventCounter()
    private let receivedBytes = EventCounter()
    private let sentBytes = EventCounter()
    private let watchEvents = EventCounter()
    private let replicaMerged = EventCounter()
    /// Indexed by the reason's position.
    private let replicaNotMerged = ReplicaReason.allCases.map { _ in EventCounter() }

    /// Counts a request when its last answer is written.
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

    /// Counts an error. For a frame or payload that is not a known request, nothing else is counted.
    func recordError(_ reason: ErrorReason) {
        errors[reason.position].add(1)
    }

    func recordConnection(accepted: Bool) {
        (accepted ? connectionsAccepted : connectionsRefused).add(1)
    }

    /// Counts a connection that was closed because its peer did not read the answers.
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

    /// Counts a message of the replica group's stream that was handed in.
    ///
    /// - Parameter reason: The reason why the message was not merged; `nil` if it was merged.
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

/// A counter that any thread may increment.
private final class EventCounter: Sendable {
    private let count = Atomic<UInt64>(0)

    func add(_ amount: UInt64) {
        count.wrappingAdd(amount, ordering: .relaxed)
    }

    var value: UInt64 { count.load(ordering: .relaxed) }
}
