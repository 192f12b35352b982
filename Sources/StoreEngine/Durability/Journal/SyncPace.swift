import StoreBasics

/// How long syncs have taken of late: whether a thread that others wait for may wait for one.
struct SyncPace {
    /// In the mean of some of the last.
    private static let quickNanoseconds: UInt64 = 400_000
    /// One that takes longer than this keeps such threads away for a while.
    private static let slowNanoseconds: UInt64 = 2_000_000
    private static let awayNanoseconds: UInt64 = 100_000_000

    private var meanNanoseconds = 2 * quickNanoseconds
    private var slowUntil: UInt64 = 0

    /// Of the last sync's end.
    private var measuredAt: UInt64 = 0
    /// What the last one took.
    private(set) var lastNanoseconds: UInt64 = 0

    var isQuick: Bool { meanNanoseconds <= Self.quickNanoseconds && measuredAt >= slowUntil }

    mutating func measure<Failure: Error>(_ sync: () throws(Failure) -> Void) throws(Failure) {
        let start = MonotonicClock.nanoseconds
        try sync()
        note(from: start, to: MonotonicClock.nanoseconds)
    }

    /// - Parameters: of `MonotonicClock`.
    mutating func note(from start: UInt64, to end: UInt64) {
        let nanoseconds = end - start
        meanNanoseconds = (7 * meanNanoseconds + min(nanoseconds, Self.slowNanoseconds)) / 8
        measuredAt = end
        lastNanoseconds = nanoseconds
        if nanoseconds > Self.slowNanoseconds {
            slowUntil = end + Self.awayNanoseconds
        }
    }
}
