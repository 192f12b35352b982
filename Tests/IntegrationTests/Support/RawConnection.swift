import Glibc
import StoreProtocol
import SwiftProtobuf

/// A blocking Unix socket that speaks frames and retries nothing. One thread sends and one receives, at most.
///
/// `@unchecked Sendable` because the descriptor never changes and `received` is only touched by the receiving thread.
final class RawConnection: @unchecked Sendable {
    /// The daemon has closed or died.
    struct Closed: Error {}
    struct TimedOut: Error {}

    private let descriptor: Int32
    private var received: [UInt8] = []
    private var consumed = 0

    init(_ path: String, timeoutSeconds: Int = 20) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
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

    /// Sends all of it, waiting for room as long as the timeout.
    func send(_ bytes: [UInt8]) throws {
        guard try sendSome(bytes) == bytes.count else {
            throw TimedOut()
        }
    }

    /// Sends until nothing was taken for the timeout.
    /// - Returns: how many bytes were taken.
    func sendSome(_ bytes: [UInt8]) throws -> Int {
        try bytes.withUnsafeBytes { buffer in
            var sent = 0
            while sent < buffer.count {
                let rest = UnsafeRawBufferPointer(rebasing: buffer[sent...])
                let count = Glibc.send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
                if count < 0 {
                    guard errno == EAGAIN else { throw Closed() }
                    return sent
                }
                sent += count
            }
            return sent
        }
    }

    func send(_ id: UInt64, _ call: WireRequest.OneOf_Call, key: [UInt8] = []) throws {
        try send(Frames.request(id, call, key: key))
    }

    func closeSendingSide() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// The next response; `nil` when the daemon has closed its side.
    func receive() throws -> WireResponse? {
        while true {
            let waiting = received.count - consumed
            if waiting >= 4 {
                let length = received[consumed..<consumed + 4].reduce(0) { $0 << 8 | Int($1) }
                if waiting >= 4 + length {
                    let payload = Array(received[consumed + 4..<consumed + 4 + length])
                    consumed += 4 + length
                    return try WireResponse(serializedBytes: payload)
                }
            }
            guard try receiveMore() else { return nil }
        }
    }

    /// Sends a call and takes its answer.
    func call(_ call: WireRequest.OneOf_Call, id: UInt64 = 1, key: [UInt8] = []) throws -> WireResponse {
        try send(id, call, key: key)
        guard let response = try receive() else { throw Closed() }
        return response
    }

    private func receiveMore() throws -> Bool {
        received.removeFirst(consumed)
        consumed = 0
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        let count = recv(descriptor, &chunk, chunk.count, 0)
        if count == 0 || (count < 0 && errno == ECONNRESET) {
            return false
        }
        guard count > 0 else { throw TimedOut() }
        received += chunk.prefix(count)
        return true
    }
}
