import CEpoll
import Glibc
import StoreBasics

/// A descriptor that becomes readable at regular intervals (timerfd_create(2)). It is closed at deinit.
struct IntervalTimer: ~Copyable {
    let descriptor: CInt

    init() throws(BenchError) {
        descriptor = timerfd_create(CLOCK_MONOTONIC, CInt(TFD_CLOEXEC | TFD_NONBLOCK))
        guard descriptor >= 0 else { throw BenchError("no timer: \(SystemError.last)") }
    }

    /// - Parameter first: the time at which the first interval ends, in nanoseconds of `MonotonicClock`.
    borrowing func start(at first: UInt64, every nanoseconds: UInt64) throws(BenchError) {
        var times = itimerspec(it_interval: Self.time(nanoseconds), it_value: Self.time(first))
        guard timerfd_settime(descriptor, CInt(TFD_TIMER_ABSTIME), &times, nil) == 0 else {
            throw BenchError("timerfd_settime: \(SystemError.last)")
        }
    }

    /// Returns how many intervals have ended since the last call.
    borrowing func takeCount() throws(BenchError) -> Int {
        var count: UInt64 = 0
        guard read(descriptor, &count, MemoryLayout<UInt64>.size) == MemoryLayout<UInt64>.size else {
            guard errno == EAGAIN else { throw BenchError("read of a timer: \(SystemError.last)") }
            return 0
        }
        return Int(clamping: count)
    }

    private static func time(_ nanoseconds: UInt64) -> timespec {
        timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    }

    deinit {
        close(descriptor)
    }
}
