import Glibc

/// Time that never jumps, in nanoseconds since some moment before the process started (clock_gettime(2),
/// CLOCK_MONOTONIC). A plain number, so that taking it costs a few tens of nanoseconds.
package enum MonotonicClock {
    /// Exact, read through the vDSO.
    package static var nanoseconds: UInt64 {
        read(CLOCK_MONOTONIC)
    }

    /// A few milliseconds behind at most, at a fraction of the price: for what is asked very often.
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
    /// Whole nanoseconds, at least 0 and at most what an Int64 holds (292 years).
    package var nanosecondsClamped: Int64 {
        guard self > .zero else { return 0 }
        let (seconds, attoseconds) = components
        let (whole, isLarge) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isLarger) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        return isLarge || isLarger ? .max : sum
    }
}
