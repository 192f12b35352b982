import Dispatch
import Logging
import StoreBasics
import Synchronization

/// Lines of the log that a caller can cause, again and again. Bounded by user, as entries of the audit are; what is
/// left out is counted and told once a minute.
final class CausedLines: Sendable {
    private struct State {
        var pacer = AuditPacer()
        var isTellingScheduled = false
    }

    private static let tellingSeconds = 60

    private let state = Mutex(State())

    /// Any thread.
    func write(
        _ level: Logger.Level, _ message: Logger.Message, _ metadata: @autoclosure () -> Logger.Metadata, uid: UInt32,
        to logger: Logger, now: UInt64 = MonotonicClock.nanoseconds
    ) {
        guard level >= logger.logLevel else { return }
        let (isAllowed, schedules) = state.withLock { state in
            guard state.pacer.allows(.lines, uid: uid, now: now) else {
                defer { state.isTellingScheduled = true }
                return (false, !state.isTellingScheduled)
            }
            return (true, false)
        }
        if isAllowed {
            logger.log(level: level, message, metadata: metadata())
        } else if schedules {
            DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(Self.tellingSeconds)) { [weak self] in
                self?.tellSuppressed(to: logger)
            }
        }
    }

    /// Writes how many lines of each user were left out since the last time.
    func tellSuppressed(to logger: Logger) {
        let suppressed = state.withLock { state in
            state.isTellingScheduled = false
            return state.pacer.takeSuppressed()
        }
        for (uid, count) in suppressed.sorted(by: { $0.key < $1.key }) {
            logger.warning("lines of the log were left out", metadata: ["uid": "\(uid)", "count": "\(count)"])
        }
    }
}
