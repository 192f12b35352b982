import StoreBasics
import Synchronization

/// An `AuditPacer` that all threads may use. It also decides when the number of left-out entries is reported.
final class SharedPacer: Sendable {
    /// The delay between the first left-out entry and the report.
    static let reportDelay = Duration.seconds(60)

    private let pacer = Mutex(AuditPacer())
    private let firstLeftOut: AsyncStream<Void>
    private let hasLeftOut: AsyncStream<Void>.Continuation

    init() {
        // A single buffered signal is enough, however many entries are left out before it is received.
        (firstLeftOut, hasLeftOut) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Returns the result of `isAllowed` and schedules a report if `isAllowed` left out the first entry since the
    /// previous report. May be called on any thread.
    func allows(_ isAllowed: (inout AuditPacer) -> Bool) -> Bool {
        let (isAllowed, isFirst) = pacer.withLock { pacer in
            let hadSuppressed = pacer.hasSuppressed
            return (isAllowed(&pacer), !hadSuppressed && pacer.hasSuppressed)
        }
        if isFirst {
            hasLeftOut.yield()
        }
        return isAllowed
    }

    /// Returns the number of left-out entries of each user since the previous call, ordered by user.
    func drainSuppressed() -> [(uid: UInt32, count: Int)] {
        pacer.withLock { $0.drainSuppressed() }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Waits for the first entry that is left out after the previous report, and calls `report` with a delay. Repeats
    /// this until its task is cancelled. Only one task may call it, and only once.
    func reportPeriodically(after delay: Duration = SharedPacer.reportDelay, _ report: () -> Void) async {
        for await _ in firstLeftOut {
            guard (try? await Task.sleep(for: delay)) != nil else { return }
            report()
        }
    }
}
