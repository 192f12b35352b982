import NIOCore
import StoreBasics

/// Keeps an event loop looking at its sockets: what is to be done besides is done for a short while at a time, and the
/// rest once the loop has looked.
///
/// An event loop runs its tasks until there are none, those that they and other threads add meanwhile included. So work
/// that makes more work would keep it from its sockets for as long as it lasts; a timer fires behind a look at them.
/// Used on its event loop.
final class LoopPacer {
    /// How long work goes on before the loop looks at its sockets.
    static let sliceNanoseconds: UInt64 = 1_000_000
    /// Long enough to be behind a look at the sockets.
    private static let pause = TimeAmount.microseconds(20)

    private let eventLoop: any EventLoop
    private let work: (UInt64) -> Bool
    /// How long it was worked since the loop has certainly looked at its sockets.
    private var workedNanoseconds: UInt64 = 0
    private var lastWorkedAt: UInt64 = 0
    private var isScheduled = false
    private var isWorking = false

    /// - Parameter work: does some of what is to be done, until about this moment of `MonotonicClock`. Returns whether
    ///   there is more.
    init(_ eventLoop: any EventLoop, work: @escaping (UInt64) -> Bool) {
        self.eventLoop = eventLoop
        self.work = work
    }

    /// Works as long as there is time, and goes on later where that is not all.
    func run() {
        guard !isScheduled, !isWorking else { return }
        let start = MonotonicClock.nanoseconds
        // Something else had its time in between.
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

    /// Works as soon as what is under way is done.
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
