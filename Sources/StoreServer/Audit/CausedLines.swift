import Logging
import StoreBasics

/// Lines of the log that a caller can cause, again and again. Bounded by user, as entries of the audit are; what is
/// left out is counted and told: once a minute, and when the server stops.
final class CausedLines: Sendable {
    private let pacer = SharedPacer()
    private let now: @Sendable () -> UInt64

    init(now: @escaping @Sendable () -> UInt64 = { MonotonicClock.nanoseconds }) {
        self.now = now
    }

    /// Any thread.
    func write(
        _ level: Logger.Level, _ message: Logger.Message, _ metadata: @autoclosure () -> Logger.Metadata, uid: UInt32,
        to logger: Logger
    ) {
        guard level >= logger.logLevel, pacer.allows({ $0.allows(.lines, uid: uid, now: now()) }) else { return }
        logger.log(level: level, message, metadata: metadata())
    }

    /// Writes how many lines of each user were left out since the last time.
    func tellSuppressed(to logger: Logger) {
        for (uid, count) in pacer.takeSuppressed() {
            logger.warning("lines of the log were left out", metadata: ["uid": "\(uid)", "count": "\(count)"])
        }
    }

    /// Until its task is cancelled.
    ///
    /// - Parameter logger: the one of then.
    func tellNowAndThen(to logger: () -> Logger) async {
        await pacer.tellNowAndThen { tellSuppressed(to: logger()) }
    }
}
