import Logging
import StoreBasics

/// Writes the lines of the log that a caller can cause again and again. The number of lines per user is limited in the
/// same way as the number of audit entries. Lines above the limit are counted; their number is logged once a minute and
/// when the server stops.
final class CausedLines: Sendable {
    private let pacer = SharedPacer()
    private let now: @Sendable () -> UInt64

    init(now: @escaping @Sendable () -> UInt64 = { MonotonicClock.nanoseconds }) {
        self.now = now
    }

    /// Writes a line unless its user is over the limit. May be called on any thread.
    func write(
        _ level: Logger.Level, _ message: Logger.Message, _ metadata: @autoclosure () -> Logger.Metadata, uid: UInt32,
        to logger: Logger
    ) {
        guard level >= logger.logLevel, pacer.allows({ $0.allows(.lines, uid: uid, now: now()) }) else { return }
        logger.log(level: level, message, metadata: metadata())
    }

    /// Logs how many lines of each user were left out since the previous call.
    func logSuppressed(to logger: Logger) {
        for (uid, count) in pacer.drainSuppressed() {
            logger.warning("lines of the log were left out", metadata: ["uid": "\(uid)", "count": "\(count)"])
        }
    }

    /// Logs the number of left-out lines at intervals until its task is cancelled.
    ///
    /// - Parameter logger: Returns the logger in force when a line is due.
    func reportPeriodically(to logger: () -> Logger) async {
        await pacer.reportPeriodically { logSuppressed(to: logger()) }
    }
}
