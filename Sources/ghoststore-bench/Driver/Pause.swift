import Glibc

/// Blocks this thread.
func pause(milliseconds: Double) {
    usleep(UInt32(milliseconds * 1_000))
}

extension Double {
    /// Nanoseconds of a number of seconds.
    var secondsAsNanoseconds: UInt64 { UInt64(self * 1e9) }
}
