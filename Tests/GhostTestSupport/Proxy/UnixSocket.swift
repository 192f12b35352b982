import Glibc

/// Blocking Unix stream sockets.
enum UnixSocket {
    static func listen(at path: String) throws -> CInt {
        let descriptor = try make()
        let isListening = withAddress(path) { bind(descriptor, $0, $1) } == 0 && Glibc.listen(descriptor, 128) == 0
        guard isListening else {
            let code = errno
            close(descriptor)
            throw TestSupportError("could not listen at \(path): \(String(cString: strerror(code)))")
        }
        return descriptor
    }

    /// `nil` when nobody listens there.
    static func connect(to path: String) -> CInt? {
        guard let descriptor = try? make() else {
            return nil
        }
        guard withAddress(path, { Glibc.connect(descriptor, $0, $1) }) == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    /// Waits for a connection; `nil` when the listener was shut down.
    static func accept(_ listener: CInt) -> CInt? {
        while true {
            let descriptor = Glibc.accept(listener, nil, nil)
            if descriptor >= 0 {
                // A child started in between keeps a copy, which holds nothing up: connections are shut down first.
                _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
                return descriptor
            }
            guard errno == EINTR || errno == ECONNABORTED else {
                return nil
            }
        }
    }

    /// Waits for bytes; 0 at the end of what is sent or when the connection is gone.
    static func receive(_ descriptor: CInt, into buffer: inout [UInt8]) -> Int {
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count < 0 && errno == EINTR {
                continue
            }
            return max(0, count)
        }
    }

    /// Waits for room; false when the connection is gone.
    static func send(_ bytes: ArraySlice<UInt8>, to descriptor: CInt) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
            if count < 0 && errno == EINTR {
                continue
            }
            guard count > 0 else {
                return false
            }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private static func make() throws -> CInt {
        let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else {
            throw TestSupportError("could not make a socket: \(String(cString: strerror(errno)))")
        }
        return descriptor
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
