import StoreBasics

/// Limits progress reports to ten a second. The final report of a job is sent regardless.
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
