import StoreBasics
import Synchronization

/// An `AuditPacer` for all threads, and when to tell what it kept back.
final class SharedPacer: Sendable {
    /// What was left out is told this long after the first of it.
    static let tellingDelay = Duration.seconds(60)

    private let pacer = Mutex(AuditPacer())
    private let firstLeftOut: AsyncStream<Void>
    private let hasLeftOut: AsyncStream<Void>.Continuation

    init() {
        // One that is not taken yet stands for all.
        (firstLeftOut, hasLeftOut) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Any thread.
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

    /// How many of each user were left out since the last time, in the order of users.
    func takeSuppressed() -> [(uid: UInt32, count: Int)] {
        pacer.withLock { $0.takeSuppressed() }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Calls `tell` a while after something was left out, each time, until its task is cancelled. For one task, once.
    func tellNowAndThen(after delay: Duration = SharedPacer.tellingDelay, _ tell: () -> Void) async {
        for await _ in firstLeftOut {
            guard (try? await Task.sleep(for: delay)) != nil else { return }
            tell()
        }
    }
}
