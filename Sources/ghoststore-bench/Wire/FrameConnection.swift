import Glibc

/// A blocking connection for what is not measured in a closed loop: preparation, watching, pings.
struct FrameConnection: ~Copyable {
    private let socket: UnixSocket
    private var buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    private var nextRequestID = RequestIDs.first

    init(to path: String) throws(BenchError) {
        socket = try UnixSocket.connect(to: path, isBlocking: true)
        var timeout = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(socket.descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    }

    /// Sends the frame `make` builds for a fresh request id.
    ///
    /// - Returns: the request id.
    mutating func send(_ make: (UInt64) -> [UInt8]) throws(BenchError) -> UInt32 {
        let requestID = nextRequestID
        nextRequestID = RequestIDs.after(requestID)
        let frame = make(UInt64(requestID))
        var sent = 0
        while sent < frame.count {
            let count = frame.withUnsafeBytes {
                Glibc.send(
                    socket.descriptor, $0.baseAddress?.advanced(by: sent), frame.count - sent, CInt(MSG_NOSIGNAL))
            }
            guard count > 0 else {
                throw BenchError("send: \(systemErrorText())")
            }
            sent += count
        }
        return requestID
    }

    /// Reads one answer and gives it to `body`.
    mutating func receive<Result>(_ body: (ResponseHead) throws(BenchError) -> Result) throws(BenchError) -> Result {
        try fill(0..<FrameHeader.byteCount)
        let payloadByteCount = FrameHeader.payloadByteCount(UnsafeRawBufferPointer(buffer))
        guard payloadByteCount < FrameHeader.frameBytesMax else {
            throw BenchError("an answer of \(payloadByteCount) bytes is announced")
        }
        if payloadByteCount > buffer.count {
            buffer.deallocate()
            buffer = .allocate(byteCount: payloadByteCount, alignment: 16)
        }
        try fill(0..<payloadByteCount)
        return try body(ResponseHead(UnsafeRawBufferPointer(rebasing: buffer[..<payloadByteCount])))
    }

    /// One request and its answer.
    mutating func call(expecting resultField: UInt32, _ make: (UInt64) -> [UInt8]) throws(BenchError) {
        let requestID = try send(make)
        try expect(resultField, answerTo: requestID)
    }

    mutating func expect(_ resultField: UInt32, answerTo requestID: UInt32) throws(BenchError) {
        try receive { head throws(BenchError) in
            guard head.id == UInt64(requestID), head.resultField == resultField, !head.hasMore else {
                throw BenchError(head.failureText(requestID: requestID, expectedResult: resultField))
            }
        }
    }

    private mutating func fill(_ range: Range<Int>) throws(BenchError) {
        var position = range.lowerBound
        while position < range.upperBound {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[position..<range.upperBound])
            let count = recv(socket.descriptor, rest.baseAddress, rest.count, 0)
            guard count > 0 else {
                throw BenchError(count == 0 ? "the daemon closed the connection" : "recv: \(systemErrorText())")
            }
            position += count
        }
    }

    deinit {
        buffer.deallocate()
    }
}
