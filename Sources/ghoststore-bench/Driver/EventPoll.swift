import CEpoll
import Glibc

/// epoll(7), level-triggered, closed at deinit.
struct EventPoll: ~Copyable {
    struct Readiness {
        /// The number the descriptor was added under.
        let lane: Int
        let isWritable: Bool
    }

    private let descriptor: CInt
    private let events: UnsafeMutableBufferPointer<epoll_event>

    /// - Parameter batchMax: the most events one `wait` tells.
    init(batchMax: Int) throws(BenchError) {
        descriptor = epoll_create1(CInt(EPOLL_CLOEXEC))
        guard descriptor >= 0 else {
            throw BenchError("no epoll: \(systemErrorText())")
        }
        events = .allocate(capacity: batchMax)
        events.initialize(repeating: epoll_event())
    }

    borrowing func add(_ socket: CInt, lane: Int) throws(BenchError) {
        try control(EPOLL_CTL_ADD, socket, lane: lane, interest: EPOLLIN.rawValue)
    }

    borrowing func watchWritable(_ socket: CInt, lane: Int, _ isOn: Bool) throws(BenchError) {
        let interest = isOn ? EPOLLIN.rawValue | EPOLLOUT.rawValue : EPOLLIN.rawValue
        try control(EPOLL_CTL_MOD, socket, lane: lane, interest: interest)
    }

    private borrowing func control(_ operation: CInt, _ socket: CInt, lane: Int, interest: UInt32) throws(BenchError) {
        var event = epoll_event()
        event.events = interest
        event.data.u64 = UInt64(lane)
        guard epoll_ctl(descriptor, operation, socket, &event) == 0 else {
            throw BenchError("epoll_ctl: \(systemErrorText())")
        }
    }

    /// Waits until a descriptor is ready.
    ///
    /// - Returns: how many of `readiness(at:)` are valid; 0 when the time passed.
    @inline(__always)
    borrowing func wait(timeoutMilliseconds: CInt) throws(BenchError) -> Int {
        let count = epoll_wait(descriptor, events.baseAddress, CInt(events.count), timeoutMilliseconds)
        if count < 0 {
            guard errno == EINTR else {
                throw BenchError("epoll_wait: \(systemErrorText())")
            }
            return 0
        }
        return Int(count)
    }

    @inline(__always)
    borrowing func readiness(at index: Int) -> Readiness {
        let event = events[index]
        return Readiness(lane: Int(event.data.u64), isWritable: event.events & EPOLLOUT.rawValue != 0)
    }

    deinit {
        events.deallocate()
        close(descriptor)
    }
}
