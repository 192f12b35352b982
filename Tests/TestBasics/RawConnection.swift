import Glibc
import StoreBasics

/// A client as another language would write it: a blocking Unix socket that sends and receives frames as bytes and
/// retries nothing. A frame is the length of its payload in 4 bytes, the most significant first, and the payload.
///
/// `@unchecked Sendable` because the descriptor never changes, and what was received is touched by the receiving thread
/// only: at most one thread sends and one receives.
package final class RawConnection: @unchecked Sendable {
    /// The daemon has closed or died.
    package struct Closed: Error {}
    /// Nothing came or went for the time limit.
    package struct TimedOut: Error {}

    private let descriptor: Int32
    private var received: [UInt8] = []
    private var consumed = 0

    /// - Parameter timeoutSeconds: how long sending and receiving wait for each other's side.
    /// - Throws: `Closed` when nobody listens there.
    package init(_ path: String, timeoutSeconds: Int = 20) throws {
        guard let descriptor = try? UnixSocket.connect(to: path) else { throw Closed() }
        self.descriptor = descriptor
        var timeout = timeval(tv_sec: timeoutSeconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    }

    /// Takes a connected socket over.
    package init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Sends all bytes, waiting for room. A daemon that has closed shows in what is received, too.
    package func send(_ bytes: [UInt8]) throws {
        guard try sendSome(bytes) == bytes.count else { throw TimedOut() }
    }

    /// Sends until nothing was taken for the time limit.
    ///
    /// - Returns: how many bytes were taken.
    package func sendSome(_ bytes: [UInt8]) throws -> Int {
        do {
            return try UnixSocket.send(bytes, to: descriptor)
        } catch {
            throw Closed()
        }
    }

    /// Sends what fits without waiting; the number of bytes taken.
    package func sendWithoutWaiting(_ bytes: [UInt8]) -> Int {
        (try? UnixSocket.send(bytes, to: descriptor, waits: false)) ?? 0
    }

    /// Bytes sent that the daemon has not taken from the socket yet, with what the kernel keeps beside them
    /// (unix(7), SIOCOUTQ).
    package var unreadBytes: Int {
        var count: CInt = 0
        return ioctl(descriptor, UInt(TIOCOUTQ), &count) == 0 ? Int(count) : 0
    }

    /// As closing does, while the connection itself is still there.
    package func closeBothSides() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    package func closeSendingSide() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// The next frame, header and payload; `nil` when the daemon has closed its side.
    ///
    /// - Throws: `Closed` when it did so in the middle of a frame.
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

    /// The payload of the next frame.
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
