import Glibc
import StoreBasics

@testable import StoreServer

/// A datagram socket that plays the service manager: it receives the daemon's sd_notify(3) messages.
final class NotificationReceiver {
    let descriptor: Int32

    /// - Parameter address: a path, or `@` followed by an abstract name.
    init(_ address: String) throws {
        let isAbstract = address.hasPrefix("@")
        guard
            let unixAddress = isAbstract
                ? UnixAddress(abstractName: String(address.dropFirst())) : UnixAddress(path: address)
        else { throw SystemFailure(call: "address", number: EINVAL) }
        let made = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        descriptor = made
        guard made >= 0, unixAddress.withSocketAddress({ bind(made, $0, $1) }) == 0 else {
            throw SystemFailure(call: "bind", number: errno)
        }
        var timeout = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(made, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit {
        close(descriptor)
    }

    /// Reads the messages that have already arrived, without waiting. Returns how many there were.
    func drain() -> Int {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        var count = 0
        while recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT)) >= 0 {
            count += 1
        }
        return count
    }

    /// Returns the next message, or `nil` if none arrives within ten seconds.
    func next() -> String? {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return count < 0 ? nil : String(decoding: buffer.prefix(count), as: UTF8.self)
    }
}

/// Connects to a Unix socket. Returns 0, or the errno of the failure.
func connectionFailure(to path: String) -> Int32 {
    guard let address = UnixAddress(path: path) else { return EINVAL }
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { close(descriptor) }
    return address.withSocketAddress { connect(descriptor, $0, $1) } == 0 ? 0 : errno
}

/// Returns a stream socket that is bound to `path`, and listens unless `listens` is false. The caller closes it.
func boundSocket(_ path: String, listens: Bool = true) throws -> Int32 {
    guard let address = UnixAddress(path: path) else { throw SystemFailure(call: "address", number: EINVAL) }
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard address.withSocketAddress({ bind(descriptor, $0, $1) }) == 0 else {
        throw SystemFailure(call: "bind", number: errno)
    }
    if listens {
        guard listen(descriptor, 8) == 0 else { throw SystemFailure(call: "listen", number: errno) }
    }
    return descriptor
}
