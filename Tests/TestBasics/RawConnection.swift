import Glibc
import StoreBasics

/// A client as another language would write it: a blocking Unix socket that sends and receives frames as bytes and
/// retries nothing. A frame is the length of its payload in 4 bytes, the most significant first, and the payload.
///
/// `@unchecked Sendable` because the descriptor never changes and only the receiving thread uses the received bytes. At
/// most one thread may send and one receive at a time.
package final class RawConnection: @unchecked Sendable {
    /// The error when the daemon has closed the connection or has died.
    package struct Closed: Error {}
    /// The error when no byte could be sent or received within the time limit.
    package struct TimedOut: Error {}

    private let descriptor: Int32
    private var received: [UInt8] = []
    private var consumed = 0

    /// Connects to the socket at a path.
    ///
    /// - Parameter timeoutSeconds: how long a call that sends or receives waits for the daemon.
    /// - Throws: `Closed` when no process listens at the path.
    package init(_ path: String, timeoutSeconds: Int = 20) throws {
        guard let descriptor = try? UnixSocket.connect(to: path) else { throw Closed() }
        self.descriptor = descriptor
        var timeout = timeval(tv_sec: timeoutSeconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    }

    /// Wraps a connected socket. The new object closes the socket when it is released.
    package init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Sends all bytes; waits while the socket's buffer is full.
    ///
    /// - Throws: `TimedOut` if the daemon accepts no byte for the time limit, `Closed` if the connection is closed.
    package func send(_ bytes: [UInt8]) throws {
        guard try sendSome(bytes) == bytes.count else { throw TimedOut() }
    }

    /// Sends until all bytes are sent, or until the daemon has accepted none for the time limit.
    ///
    /// - Returns: the number of bytes sent.
    package func sendSome(_ bytes: [UInt8]) throws -> Int {
        do {
            return try UnixSocket.send(bytes, to: descriptor)
        } catch {
            throw Closed()
        }
    }

    /// Sends what the socket has room for, without waiting. Returns the number of bytes sent.
    package func sendWithoutWaiting(_ bytes: [UInt8]) -> Int {
        (try? UnixSocket.send(bytes, to: descriptor, waits: false)) ?? 0
    }

    /// The memory of sent data that the daemon has not read from the socket yet. The kernel counts its own overhead too
    /// (unix(7), SIOCOUTQ).
    package var unreadBytes: Int {
        var count: CInt = 0
        return ioctl(descriptor, UInt(TIOCOUTQ), &count) == 0 ? Int(count) : 0
    }

    /// Shuts down both directions, as closing does, but keeps the descriptor.
    package func closeBothSides() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    package func closeSendingSide() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Returns the next frame, header and payload; `nil` when the daemon has closed its side.
    ///
    /// - Throws: `Closed` when the connection ends in the middle of a frame.
    package func receiveFrame() throws -> [UInt8]? {
        while true {
            let waiting = received.count - consumed
            if waiting >= 4 {
                let frameBytes = 4 + received[consumed..<consumed + 4].reduce(0) { $0 << 8 | Int($1) }
                if waiting >= frameBytes {
                    defer { consumed += frameBytes }
                    return Array(received[consumed..<consumed + frameBytes])
                }
            }
            guard try receiveMore() else {
                guard waiting == 0 else { throw Closed() }
                return nil
            }
        }
    }

    /// Returns the payload of the next frame. Throws `Closed` if the daemon has closed its side.
    package func receivePayload() throws -> [UInt8] {
        guard let frame = try receiveFrame() else { throw Closed() }
        return Array(frame.dropFirst(4))
    }

    private func receiveMore() throws -> Bool {
        received.removeFirst(consumed)
        consumed = 0
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        do {
            let count = try UnixSocket.receive(descriptor, into: &chunk)
            received += chunk.prefix(count)
            return count > 0
        } catch {
            throw TimedOut()
        }
    }
}
