import GhostTestSupport
import Glibc
import StoreClient

/// A blocking socket that speaks bytes, as a client in another language would.
final class RawConnection {
    private let descriptor: CInt
    private var received: [UInt8] = []
    private static let timeoutSeconds = 10

    init(path: String) throws {
        descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        var timeout = timeval(tv_sec: Self.timeoutSeconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                connect(descriptor, address, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard code == 0 else {
            throw TestSupportError("could not connect: \(String(cString: strerror(errno)))")
        }
    }

    deinit {
        close(descriptor)
    }

    func send(_ bytes: [UInt8]) {
        // A daemon that closed in the middle of what it refuses shows in what is received.
        _ = Glibc.send(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL))
    }

    func closeSendingSide() {
        shutdown(descriptor, CInt(SHUT_WR))
    }

    /// The next frame, header and payload; `nil` when the daemon closed the connection.
    func receiveFrame() throws -> [UInt8]? {
        while true {
            if case .payload(let range) = try Framing.parse(received) {
                defer { received.removeFirst(range.upperBound) }
                return Array(received[..<range.upperBound])
            }
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else {
                guard count == 0 || errno == ECONNRESET else {
                    throw TestSupportError("nothing came: \(String(cString: strerror(errno)))")
                }
                guard received.isEmpty else {
                    throw TestSupportError("closed in the middle of a frame")
                }
                return nil
            }
            received += buffer[..<count]
        }
    }

    /// The next response's payload.
    func receive() throws -> [UInt8] {
        guard let frame = try receiveFrame() else {
            throw TestSupportError("the daemon closed the connection")
        }
        return Array(frame.dropFirst(Framing.headerBytes))
    }
}
