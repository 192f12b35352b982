import NIOCore
import StoreBasics

/// Keeps an event loop responsive to its sockets. Other work runs for a short time slice, and continues after the loop
/// has polled its sockets.
///
/// An event loop runs its tasks until none are left, including tasks that are added meanwhile. So work that adds more
/// work would keep it from its sockets. A timer fires only after the sockets were polled, so the rest of the work is
/// scheduled with a timer. Used on its event loop only.
final class LoopPacer {
    /// The time that work takes before the loop polls its sockets.
    static let sliceNanoseconds: UInt64 = 1_000_000
    /// A delay long enough for the loop to poll its sockets first.
    private static let pause = TimeAmount.microseconds(20)

    private let eventLoop: any EventLoop
    private let work: (UInt64) -> Bool
    /// The time worked since the loop last certainly polled its sockets.
    private var workedNanoseconds: UInt64 = 0
    private var lastWorkedAt: UInt64 = 0
    private var isScheduled = false
    private var isWorking = false

    /// - Parameter work: Does some of the work until about the given time of `MonotonicClock`. Returns whether more is
    ///   left.
    init(_ eventLoop: any EventLoop, work: @escaping (UInt64) -> Bool) {
        self.eventLoop = eventLoop
        self.work = work
    }

    /// Works while there is time, and schedules the rest for later.
    func run() {
        guard !isScheduled, !isWorking else { return }
        let start = MonotonicClock.nanoseconds
        // The loop did something else since the last work, so a new time slice begins.
        if start - lastWorkedAt > Self.sliceNanoseconds {
            workedNanoseconds = 0
        }
        let end = start + Self.sliceNanoseconds - workedNanoseconds
        isWorking = true
        var hasMore = true
        var now = start
        while hasMore, now < end {
            hasMore = work(end)
            now = MonotonicClock.nanoseconds
        }
        isWorking = false
        workedNanoseconds += now - start
        lastWorkedAt = now
        if hasMore || now >= end {
            workedNanoseconds = 0
            schedule(in: Self.pause)
        }
    }

    /// Works as soon as the current task of the loop is done.
    func runSoon() {
        if !isScheduled, !isWorking {
            schedule(in: .zero)
        }
    }

    private func schedule(in time: TimeAmount) {
        isScheduled = true
        eventLoop.assumeIsolated().scheduleTask(in: time) { [self] in
            isScheduled = false
            run()
        }
    }
}
