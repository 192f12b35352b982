internal import Glibc

/// Time that never jumps, in nanoseconds since some moment before the process started (clock_gettime(2),
/// CLOCK_MONOTONIC). A plain number, so that taking it costs a few tens of nanoseconds.
enum MonotonicClock {
    static var nanoseconds: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
