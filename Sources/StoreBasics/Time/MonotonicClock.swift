import Glibc

/// A clock that never jumps, in nanoseconds since some moment before the process started (clock_gettime(2),
/// CLOCK_MONOTONIC). A time is a plain number, and reading it takes a few tens of nanoseconds.
package enum MonotonicClock {
    /// The exact time, read through the vDSO.
    package static var nanoseconds: UInt64 {
        read(CLOCK_MONOTONIC)
    }

    /// A time that may be a few milliseconds late but is much cheaper to read, for very frequent use.
    package static var coarseNanoseconds: UInt64 {
        read(CLOCK_MONOTONIC_COARSE)
    }

    private static func read(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}

extension Duration {
    /// The whole nanoseconds, at least 0 and at most `Int64.max` (292 years).
    package var nanosecondsClamped: Int64 {
        guard self > .zero else { return 0 }
        let (seconds, attoseconds) = components
        let (whole, isLarge) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isLarger) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        return isLarge || isLarger ? .max : sum
    }
}
