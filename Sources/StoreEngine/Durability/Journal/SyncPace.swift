import StoreBasics

/// The recent speed of syncs. It decides if a thread that has other callers to serve may wait for a sync.
struct SyncPace {
    /// The largest mean duration that counts as quick.
    private static let quickNanoseconds: UInt64 = 400_000
    /// The largest duration of a normal sync. After a longer sync, threads that have other callers to serve do not sync
    /// for `awayNanoseconds`.
    private static let slowNanoseconds: UInt64 = 2_000_000
    private static let awayNanoseconds: UInt64 = 100_000_000

    private var meanNanoseconds = 2 * quickNanoseconds
    private var slowUntil: UInt64 = 0

    /// The time at which the last sync ended.
    private var measuredAt: UInt64 = 0
    /// The duration of the last sync.
    private(set) var lastNanoseconds: UInt64 = 0

    var isQuick: Bool { meanNanoseconds <= Self.quickNanoseconds && measuredAt >= slowUntil }

    mutating func measure<Failure: Error>(_ sync: () throws(Failure) -> Void) throws(Failure) {
        let start = MonotonicClock.nanoseconds
        try sync()
        recordSync(from: start, to: MonotonicClock.nanoseconds)
    }

    /// Records the duration of a sync.
    ///
    /// - Parameters:
    ///   - start: a time of `MonotonicClock`.
    ///   - end: a time of `MonotonicClock`.
    mutating func recordSync(from start: UInt64, to end: UInt64) {
        let nanoseconds = end - start
        meanNanoseconds = (7 * meanNanoseconds + min(nanoseconds, Self.slowNanoseconds)) / 8
        measuredAt = end
        lastNanoseconds = nanoseconds
        if nanoseconds > Self.slowNanoseconds {
            slowUntil = end + Self.awayNanoseconds
        }
    }
}
