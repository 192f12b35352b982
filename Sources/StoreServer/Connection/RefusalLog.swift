internal import Logging
internal import StoreBasics
internal import StoreProtocol

/// Logs refused requests with the caller's uid and pid, at most so many a second: a peer must not be able to flood
/// the log. Used on one event loop.
struct RefusalLog {
    static let linesPerSecondMax = 20

    private var second: UInt64 = 0
    private var lines = 0
    private var suppressed = 0

    mutating func log(
        _ logger: Logger, _ reason: ErrorReason, kind: CallKind?, caller: Caller,
        now: UInt64 = MonotonicClock.nanoseconds
    ) {
        let second = now / 1_000_000_000
        if second != self.second {
            if suppressed > 0 {
                logger.warning("further requests were refused", metadata: ["count": "\(suppressed)"])
            }
            self.second = second
            lines = 0
            suppressed = 0
        }
        guard lines < Self.linesPerSecondMax else {
            suppressed += 1
            return
        }
        lines += 1
        logger.warning(
            "request refused",
            metadata: [
                "reason": "\(reason.rawValue)", "call": "\(kind?.name ?? "unknown")", "uid": "\(caller.uid)",
                "pid": "\(caller.pid)",
            ])
    }
}
