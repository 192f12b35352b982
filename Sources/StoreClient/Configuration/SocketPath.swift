import Glibc
import StoreBasics

/// The rules by which a client without a given path finds the daemon's socket.
enum SocketPath {
    /// The longest path of a Unix domain socket, in bytes.
    static let bytesMax = UnixAddress.pathBytesMax
    static let environmentName = "GHOSTSTORE_SOCKET"

    /// Returns the given path. Without one, it returns `GHOSTSTORE_SOCKET` if it is set, or else the first of the
    /// well-known paths that exists.
    static func resolve(_ given: String?) throws(StoreClientError) -> String {
        try resolve(given, environment: { getenv($0).map { String(cString: $0) } }, exists: { access($0, F_OK) == 0 })
    }

    static func resolve(
        _ given: String?, environment: (String) -> String?, exists: (String) -> Bool
    ) throws(StoreClientError) -> String {
        if let given {
            return try checked(given)
        }
        if let path = environment(environmentName), !path.isEmpty {
            return try checked(path)
        }
        let runtimeDirectory = environment("XDG_RUNTIME_DIR").flatMap { $0.isEmpty ? nil : $0 }
        let places = [runtimeDirectory.map { "\($0)/ghoststore/socket" }, "/run/ghoststore/socket"].compactMap { $0 }
        if let path = places.first(where: exists) {
            return try checked(path)
        }
        let runtimePlace =
            runtimeDirectory == nil
            ? "$XDG_RUNTIME_DIR/ghoststore/socket (XDG_RUNTIME_DIR is not set)" : "\(places[0]) (absent)"
        throw StoreClientError(
            code: .unavailable, reason: .socketAbsent,
            message: """
                found no socket of ghoststored: tried $\(environmentName) (not set), \(runtimePlace) and \
                /run/ghoststore/socket (absent); hint: start ghoststored, or give the path of its socket
                """,
            isRetryable: true)
    }

    private static func checked(_ path: String) throws(StoreClientError) -> String {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw .invalidArgument("the socket path is empty or contains a NUL byte")
        }
        guard path.utf8.count <= bytesMax else {
            throw .invalidArgument(
                "the socket path has \(path.utf8.count) bytes; the limit for a Unix socket is \(bytesMax)")
        }
        return path
    }

    /// Returns the error for a failed connection to the socket at a path.
    static func connectError(path: String, errno code: CInt) -> StoreClientError {
        func unreachable(_ message: String, isRetryable: Bool = true) -> StoreClientError {
            StoreClientError(code: .unavailable, reason: .daemonUnreachable, message: message, isRetryable: isRetryable)
        }
        switch code {
        case ENOENT, ENOTDIR:
            return StoreClientError(
                code: .unavailable, reason: .socketAbsent,
                message: "no socket at \(path); hint: start ghoststored, or give the path of its socket",
                isRetryable: true)
        case EACCES, EPERM:
            return StoreClientError(
                code: .permissionDenied, reason: .socketForbidden,
                message: """
                    this user has no permission to open \(path); hint: add the user to the group of the \
                    socket; connect_group in ghoststored.yaml, or the socket's unit, names this group
                    """)
        case ECONNREFUSED where !isSocket(path):
            return unreachable(
                "\(path) is not a socket; hint: give the path of ghoststored's socket", isRetryable: false)
        case ECONNREFUSED:
            return unreachable(
                """
                no process listens on \(path); hint: ghoststored stopped and did not remove the socket; start \
                ghoststored again
                """)
        case EAGAIN:
            return unreachable("ghoststored does not accept connections on \(path) now; try again later")
        default:
            return unreachable("could not connect to \(path): \(SystemError(code))")
        }
    }

    private static func isSocket(_ path: String) -> Bool {
        var facts = stat()
        return stat(path, &facts) != 0 || facts.st_mode & S_IFMT == S_IFSOCK
    }
}
