import Glibc
package import StoreBasics

/// Calls for blocking Unix stream sockets. The caller closes the descriptors.
package enum UnixSocket {
    package static func listen(at path: String) throws(SystemError) -> Int32 {
        let descriptor = try make()
        let isListening = withAddress(path) { bind(descriptor, $0, $1) } == 0 && Glibc.listen(descriptor, 128) == 0
        guard isListening else { throw failure(of: descriptor) }
        return descriptor
    }

    package static func connect(to path: String) throws(SystemError) -> Int32 {
        let descriptor = try make()
        guard withAddress(path, { Glibc.connect(descriptor, $0, $1) }) == 0 else { throw failure(of: descriptor) }
        return descriptor
    }

    /// Waits for a connection. Returns `nil` when the listener was shut down.
    package static func accept(_ listener: Int32) -> Int32? {
        while true {
            let descriptor = Glibc.accept(listener, nil, nil)
            if descriptor >= 0 {
                // A child process that another thread starts before this call inherits a copy of the descriptor. The
                // copy does not keep the connection open, because connections are shut down before they are closed.
                _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
                return descriptor
            }
            guard errno == EINTR || errno == ECONNABORTED else { return nil }
        }
    }

    /// Waits for bytes and returns their number; 0 at the end of the data.
    package static func receive(_ descriptor: Int32, into buffer: inout [UInt8]) throws(SystemError) -> Int {
        do {
            return try withoutInterruption { recv(descriptor, &buffer, buffer.count, 0) }
        } catch  where error.number == ECONNRESET {
            return 0
        }
    }

    /// Sends bytes. If `waits` is true, waits until the socket has room for all of them.
    ///
    /// - Returns: the number of bytes sent. It is less than all when the socket's time limit has passed, or when
    ///   `waits` is false and the socket is full.
    package static func send(
        _ bytes: some RandomAccessCollection<UInt8>, to descriptor: Int32, waits: Bool = true
    ) throws(SystemError) -> Int {
        let bytes = Array(bytes)
        let flags = Int32(MSG_NOSIGNAL) | (waits ? 0 : Int32(MSG_DONTWAIT))
        var sent = 0
        while sent < bytes.count {
            do {
                sent += try withoutInterruption {
                    bytes[sent...].withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, flags) }
                }
            } catch  where error.number == EAGAIN {
                break
            }
            guard waits else { break }
        }
        return sent
    }

    private static func make() throws(SystemError) -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .last }
        return descriptor
    }

    private static func failure(of descriptor: Int32) -> SystemError {
        let error = SystemError.last
        close(descriptor)
        return error
    }

    private static func withAddress<Result>(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.dropLast().copyBytes(from: path.utf8.prefix($0.count - 1)) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
