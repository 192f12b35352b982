import CEpoll
import Glibc
import StoreBasics

/// A connected stream socket (unix(7)), closed at deinit.
struct UnixSocket: ~Copyable {
    let descriptor: CInt

    /// - Throws: `BenchError` if no process listens on the path.
    static func connect(to path: String, isBlocking: Bool) throws(BenchError) -> UnixSocket {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw BenchError("no socket: \(SystemError.last)") }
        let unixSocket = UnixSocket(descriptor: descriptor)
        try unixSocket.connect(to: path)
        if !isBlocking {
            try unixSocket.makeNonBlocking()
        }
        return unixSocket
    }

    private init(descriptor: CInt) {
        self.descriptor = descriptor
    }

    private borrowing func connect(to path: String) throws(BenchError) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let capacity = MemoryLayout.size(ofValue: address.sun_path) - 1
        guard path.utf8.count <= capacity else {
            throw BenchError("the socket path has \(path.utf8.count) bytes; one has at most \(capacity)")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else {
            throw BenchError("could not connect to \(path): \(SystemError.last); hint: start ghoststored")
        }
    }

    private borrowing func makeNonBlocking() throws(BenchError) {
        let flags = fcntl(descriptor, F_GETFL)
        guard flags >= 0, fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0 else {
            throw BenchError("fcntl of a socket: \(SystemError.last)")
        }
    }

    deinit {
        close(descriptor)
    }
}

/// A level-triggered epoll(7), closed at deinit.
struct EventPoll: ~Copyable {
    struct Readiness {
        /// The number that `add` was given together with the descriptor.
        let lane: Int
        let isWritable: Bool
    }

    private let descriptor: CInt
    private let events: UnsafeMutableBufferPointer<epoll_event>

    /// - Parameter batchMax: the largest number of events that one `wait` returns.
    init(batchMax: Int) throws(BenchError) {
        descriptor = epoll_create1(CInt(EPOLL_CLOEXEC))
        guard descriptor >= 0 else { throw BenchError("no epoll: \(SystemError.last)") }
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
            throw BenchError("epoll_ctl: \(SystemError.last)")
        }
    }

    /// Waits until a descriptor is ready.
    ///
    /// - Returns: the number of ready descriptors, or 0 after the timeout. `readiness(at:)` is valid for smaller
    ///   indexes.
    @inline(__always)
    borrowing func wait(timeoutMilliseconds: CInt) throws(BenchError) -> Int {
        let count = epoll_wait(descriptor, events.baseAddress, CInt(events.count), timeoutMilliseconds)
        if count < 0 {
            guard errno == EINTR else { throw BenchError("epoll_wait: \(SystemError.last)") }
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
