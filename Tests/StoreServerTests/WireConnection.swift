import FoundationEssentials
import Glibc
import StoreProtocol
import SwiftProtobuf

/// A client as simple as can be: a blocking Unix socket, frames and generated types.
// @unchecked Sendable because sending and receiving touch different members, and tests use each from one task only.
final class WireConnection: @unchecked Sendable {
    struct TimedOut: Error {}
    struct Closed: Error {}

    private static let noSignal = Int32(MSG_NOSIGNAL)
    private static let dontWait = Int32(MSG_DONTWAIT)

    private let descriptor: Int32
    private var received: [UInt8] = []

    /// Takes a connected socket over.
    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    init(path: String, timeoutSeconds: Int = 20) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else {
            close(descriptor)
            throw Closed()
        }
        var timeout = timeval(tv_sec: timeoutSeconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit {
        close(descriptor)
    }

    /// Sends all bytes, waiting for room. Throws when the peer is gone or takes nothing for the timeout.
    func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Self.noSignal)
            }
            guard count > 0 else {
                throw errno == EAGAIN ? TimedOut() as any Error : Closed()
            }
            sent += count
        }
    }

    /// Sends what fits without waiting; the number of bytes sent.
    func sendWithoutWaiting(_ bytes: [UInt8]) -> Int {
        let flags = Self.noSignal | Self.dontWait
        return max(0, bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, flags) })
    }

    func closeSendingSide() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// The next frame, header included; nil when the daemon has closed.
    func receiveFrame() throws -> [UInt8]? {
        while true {
            let scan = received.withUnsafeBytes { FrameScanner.scan($0, payloadBytesMax: 64 << 20) }
            if case .frame(let payloadBytes) = scan {
                let frame = Array(received.prefix(4 + payloadBytes))
                received.removeFirst(frame.count)
                return frame
            }
            var chunk = [UInt8](repeating: 0, count: 64 << 10)
            let count = recv(descriptor, &chunk, chunk.count, 0)
            if count == 0 || (count < 0 && errno == ECONNRESET) {
                return nil
            }
            guard count > 0 else {
                throw TimedOut()
            }
            received += chunk.prefix(count)
        }
    }

    func receive() throws -> WireResponse {
        guard let frame = try receiveFrame() else {
            throw Closed()
        }
        return try WireResponse(serializedBytes: Array(frame.dropFirst(4)))
    }

    func send(_ requests: WireRequest...) throws {
        try send(requests.flatMap { Self.frame($0) })
    }

    /// Sends a call and takes its answer.
    func call(_ call: WireRequest.OneOf_Call, id: UInt64 = 1) throws -> WireResponse {
        try send(Self.request(id, call))
        return try receive()
    }

    static func request(_ id: UInt64, _ call: WireRequest.OneOf_Call, key: String = "") -> WireRequest {
        .with {
            $0.id = id
            $0.call = call
            $0.idempotencyKey = Data(key.utf8)
        }
    }

    static func frame(_ request: WireRequest) -> [UInt8] {
        guard let payload: [UInt8] = try? request.serializedBytes() else {
            return []
        }
        let count = UInt32(payload.count)
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) } + payload
    }
}
