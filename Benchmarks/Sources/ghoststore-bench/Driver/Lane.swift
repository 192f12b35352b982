import Glibc
import StoreBasics
import StoreProtocol

/// One connection of the load: its socket, its buffers, and the one request whose response it waits for.
struct Lane: ~Copyable {
    enum SendProgress { case done, blocked }

    let socket: UnixSocket
    private let request: UnsafeMutableRawBufferPointer
    private var response: UnsafeMutableRawBufferPointer
    private var requestByteCount = 0
    private var sentByteCount = 0
    private var receivedByteCount = 0
    /// The workload's data about the request in flight, or `nil` without a request.
    private(set) var pending: PreparedRequest?
    private(set) var requestID: UInt32 = 0
    private(set) var sentAt: UInt64 = 0

    init(socketPath: String, requestBytesMax: Int) throws(BenchError) {
        socket = try UnixSocket.connect(to: socketPath, isBlocking: false)
        request = .allocate(byteCount: requestBytesMax, alignment: 16)
        response = .allocate(byteCount: 64 << 10, alignment: 16)
    }

    /// Lets `fill` write the frame of the next request, and starts to send it.
    @inline(__always)
    mutating func start(
        requestID: UInt32, _ fill: (UnsafeMutableRawBufferPointer) -> PreparedRequest
    ) throws(BenchError) -> SendProgress {
        let prepared = fill(request)
        pending = prepared
        self.requestID = requestID
        requestByteCount = prepared.byteCount
        sentByteCount = 0
        receivedByteCount = 0
        sentAt = MonotonicClock.nanoseconds
        return try resumeSending()
    }

    @inline(__always)
    mutating func resumeSending() throws(BenchError) -> SendProgress {
        while sentByteCount < requestByteCount {
            let rest = UnsafeRawBufferPointer(rebasing: request[sentByteCount..<requestByteCount])
            let count = send(socket.descriptor, rest.baseAddress, rest.count, CInt(MSG_NOSIGNAL))
            if count < 0 {
                guard errno == EAGAIN else { throw BenchError("send: \(SystemError.last)") }
                return .blocked
            }
            sentByteCount += count
        }
        return .done
    }

    /// Reads the bytes that have arrived.
    ///
    /// - Returns: the payload if the response is complete, otherwise `nil`. The payload is valid until the next call.
    @inline(__always)
    mutating func receive() throws(BenchError) -> UnsafeRawBufferPointer? {
        let room = UnsafeMutableRawBufferPointer(rebasing: response[receivedByteCount...])
        let count = recv(socket.descriptor, room.baseAddress, room.count, 0)
        guard count > 0 else {
            if count < 0, errno == EAGAIN || errno == EINTR {
                return nil
            }
            throw BenchError(count == 0 ? "the daemon closed the connection" : "recv: \(SystemError.last)")
        }
        receivedByteCount += count
        let received = UnsafeRawBufferPointer(rebasing: response[..<receivedByteCount])
        switch FrameScanner.scan(received, payloadBytesMax: FrameLimits.payloadBytesMaxDefault) {
        case .needHeader:
            return nil
        case .needPayload(let frameBytes):
            if frameBytes > response.count {
                grow(to: frameBytes)
            }
            return nil
        case .frame(let payloadBytes):
            guard received.count == FrameLimits.headerBytes + payloadBytes else {
                throw BenchError("more bytes arrived than one answer has")
            }
            return UnsafeRawBufferPointer(rebasing: received[FrameLimits.headerBytes...])
        case .invalid:
            throw BenchError("the received bytes are not a frame of an answer")
        }
    }

    mutating func finish() {
        pending = nil
    }

    private mutating func grow(to byteCount: Int) {
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 16)
        larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: response[..<receivedByteCount]))
        response.deallocate()
        response = larger
    }

    deinit {
        request.deallocate()
        response.deallocate()
    }
}

/// The connections of a load. `Array` cannot store noncopyable values, so this is a separate type.
struct LaneArray: ~Copyable {
    private let storage: UnsafeMutableBufferPointer<Lane>
    private(set) var count = 0

    /// Connects to the daemon. Each connection is registered with the poll under its index.
    init(
        connecting count: Int, to socketPath: String, requestBytesMax: Int, watchedBy poll: borrowing EventPoll
    ) throws(BenchError) {
        storage = .allocate(capacity: count)
        for index in 0..<count {
            let lane = try Lane(socketPath: socketPath, requestBytesMax: requestBytesMax)
            try poll.add(lane.socket.descriptor, lane: index)
            storage.initializeElement(at: index, to: lane)
            self.count += 1
        }
    }

    /// Continues to send a request that could not be sent completely at once.
    func resumeSending(on index: Int, watchedBy poll: borrowing EventPoll) throws(BenchError) {
        if try self[index].resumeSending() == .done {
            try poll.watchWritable(self[index].socket.descriptor, lane: index, false)
        }
    }

    subscript(index: Int) -> Lane {
        @inline(__always) _read {
            yield storage[index]
        }
        @inline(__always) nonmutating _modify {
            yield &storage[index]
        }
    }

    deinit {
        for index in 0..<count {
            storage.deinitializeElement(at: index)
        }
        storage.deallocate()
    }
}
