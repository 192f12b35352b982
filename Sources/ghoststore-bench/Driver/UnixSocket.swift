import Glibc

/// A connected stream socket (unix(7)), closed at deinit.
struct UnixSocket: ~Copyable {
    let descriptor: CInt

    /// - Throws: `BenchError` when nobody listens on the path.
    static func connect(to path: String, isBlocking: Bool) throws(BenchError) -> UnixSocket {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else {
            throw BenchError("no socket: \(systemErrorText())")
        }
        let unixSocket = UnixSocket(descriptor: descriptor)
        try unixSocket.connect(to: path)
        if !isBlocking {
            try unixSocket.makeNonBlocking()
        }
        return unixSocket
    }

    private init(descriptor: CInt) {
        self.descriptor = descriptor
    }

    private borrowing func connect(to path: String) throws(BenchError) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let capacity = MemoryLayout.size(ofValue: address.sun_path) - 1
        guard path.utf8.count <= capacity else {
            throw BenchError("the socket path has \(path.utf8.count) bytes; one has at most \(capacity)")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else {
            throw BenchError("could not connect to \(path): \(systemErrorText()); hint: start ghoststored")
        }
    }

    private borrowing func makeNonBlocking() throws(BenchError) {
        let flags = fcntl(descriptor, F_GETFL)
        guard flags >= 0, fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0 else {
            throw BenchError("fcntl of a socket: \(systemErrorText())")
        }
    }

    deinit {
        close(descriptor)
    }
}

/// What errno says.
func systemErrorText() -> String {
    String(cString: strerror(errno))
}
