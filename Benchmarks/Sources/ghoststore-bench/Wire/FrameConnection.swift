import Glibc
import StoreBasics
import StoreProtocol

/// A blocking connection for work outside the closed loops: preparation, watches and pings.
struct FrameConnection: ~Copyable {
    private let socket: UnixSocket
    private var buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    private var nextRequestID = RequestIDs.first

    init(to path: String) throws(BenchError) {
        socket = try UnixSocket.connect(to: path, isBlocking: true)
        var timeout = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(socket.descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    }

    /// Sends a request, after `fill` has set its call.
    ///
    /// - Returns: the request id.
    mutating func send(_ fill: (inout WireRequest) -> Void) throws(BenchError) -> UInt32 {
        try sendFrame { requestID throws(BenchError) in try WireRequest.frame(id: requestID, fill) }
    }

    /// Sends the frame that `make` builds for a new request id.
    ///
    /// - Returns: the request id.
    mutating func sendFrame(_ make: (UInt32) throws(BenchError) -> [UInt8]) throws(BenchError) -> UInt32 {
        let requestID = nextRequestID
        nextRequestID = RequestIDs.after(requestID)
        let frame = try make(requestID)
        var sent = 0
        while sent < frame.count {
            do throws(SystemError) {
                sent += try withoutInterruption {
                    frame[sent...].withUnsafeBytes {
                        Glibc.send(socket.descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
                    }
                }
            } catch {
                throw BenchError("send: \(error)")
            }
        }
        return requestID
    }

    /// Reads one response and passes it to `body`, together with its bytes.
    mutating func receive<Result>(
        _ body: (ResponseOutline, UnsafeRawBufferPointer) throws(BenchError) -> Result
    ) throws(BenchError) -> Result {
        try fill(0..<FrameLimits.headerBytes)
        let header = UnsafeRawBufferPointer(rebasing: buffer[..<FrameLimits.headerBytes])
        let payloadBytes: Int
        switch FrameScanner.scan(header, payloadBytesMax: FrameLimits.payloadBytesMaxDefault) {
        case .needPayload(let frameBytes): payloadBytes = frameBytes - FrameLimits.headerBytes
        case .needHeader, .frame, .invalid: throw BenchError("the received bytes are not a frame of an answer")
        }
        if payloadBytes > buffer.count {
            buffer.deallocate()
            buffer = .allocate(byteCount: payloadBytes, alignment: 16)
        }
        try fill(0..<payloadBytes)
        let payload = UnsafeRawBufferPointer(rebasing: buffer[..<payloadBytes])
        guard let outline = try? ResponseOutline(payload) else { throw BenchError(ResponseOutline.unreadable) }
        return try body(outline, payload)
    }

    /// Sends one request and waits for its response. Throws an error if the response is not the expected result.
    mutating func call(expecting resultNumber: UInt32, _ fill: (inout WireRequest) -> Void) throws(BenchError) {
        let requestID = try send(fill)
        try expect(resultNumber, answerTo: requestID)
    }

    mutating func ping() throws(BenchError) {
        try call(expecting: CallKind.ping.rawValue) { $0.ping = WirePingRequest() }
    }

    mutating func expect(_ resultNumber: UInt32, answerTo requestID: UInt32) throws(BenchError) {
        try receive { outline, payload throws(BenchError) in
            try outline.require(resultNumber, answerTo: requestID, hasMore: false, in: payload)
        }
    }

    private mutating func fill(_ range: Range<Int>) throws(BenchError) {
        var position = range.lowerBound
        while position < range.upperBound {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[position..<range.upperBound])
            let count = recv(socket.descriptor, rest.baseAddress, rest.count, 0)
            guard count > 0 else {
                throw BenchError(count == 0 ? "the daemon closed the connection" : "recv: \(SystemError.last)")
            }
            position += count
        }
    }

    deinit {
        buffer.deallocate()
    }
}

/// Checks if a request succeeded.
extension ResponseOutline {
    static let unreadable = "the answer is not a response"

    /// - Returns: the reason of the failure, or `nil` if the payload is the last response to the request and has the
    ///   expected result.
    @inline(__always)
    static func failure(
        in payload: UnsafeRawBufferPointer, requestID: UInt32, expectedResult: UInt32
    ) -> String? {
        guard let outline = try? ResponseOutline(payload) else { return unreadable }
        if outline.id == UInt64(requestID), outline.resultNumber == expectedResult, !outline.hasMore {
            return nil
        }
        return outline.failureText(requestID: requestID, expectedResult: expectedResult, in: payload)
    }

    func require(
        _ resultNumber: UInt32, answerTo requestID: UInt32, hasMore: Bool, in payload: UnsafeRawBufferPointer
    ) throws(BenchError) {
        guard id == UInt64(requestID), self.resultNumber == resultNumber, self.hasMore == hasMore else {
            throw BenchError(failureText(requestID: requestID, expectedResult: resultNumber, in: payload))
        }
    }

    @inline(never)
    private func failureText(
        requestID: UInt32, expectedResult: UInt32, in payload: UnsafeRawBufferPointer
    ) -> String {
        if isError {
            return "\(errorReason(in: payload) ?? ""): \(errorMessage(in: payload) ?? "")"
        }
        guard id == UInt64(requestID) else { return "the answer is to request \(id) instead of \(requestID)" }
        let found = resultNumber.map { "field \($0)" } ?? "no result"
        return "the answer has \(found)\(hasMore ? " and more = true" : "") instead of field \(expectedResult)"
    }
}
