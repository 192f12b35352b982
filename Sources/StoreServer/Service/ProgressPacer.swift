import StoreBasics

/// Lets through at most ten reports a second, and the last one of a piece of work by itself.
struct ProgressPacer {
    static let intervalNanoseconds: UInt64 = 100_000_000

    private var lastReport: UInt64?

    mutating func isDue(now: UInt64 = MonotonicClock.nanoseconds) -> Bool {
        if let lastReport, now < lastReport + Self.intervalNanoseconds {
            return false
        }
        lastReport = now
        return true
    }
}
