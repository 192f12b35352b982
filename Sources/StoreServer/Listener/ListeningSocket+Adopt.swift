internal import Glibc

extension ListeningSocket {
    /// Takes a socket that the service manager made (systemd.socket(5)), after checking that it is what we need.
    ///
    /// - Throws: `ServerError` with code `.configuration` when it is not a listening Unix stream socket.
    package static func adopt(_ descriptor: Int32) throws(ServerError) -> ListeningSocket {
        guard let domain = option(SO_DOMAIN, of: descriptor), let type = option(SO_TYPE, of: descriptor),
            let accepts = option(SO_ACCEPTCONN, of: descriptor)
        else {
            throw ServerError(
                .configuration, "the inherited descriptor \(descriptor) is not a socket: \(systemErrorText(errno))")
        }
        guard domain == AF_UNIX, type == Int32(SOCK_STREAM.rawValue), accepts == 1 else {
            throw ServerError(
                .configuration,
                "the inherited socket \(descriptor) is no listening Unix stream socket: use ListenStream= with a path"
            )
        }
        let flags = fcntl(descriptor, F_GETFD)
        guard flags >= 0, fcntl(descriptor, F_SETFD, flags | FD_CLOEXEC) == 0 else {
            throw ServerError(
                .system, "the inherited socket \(descriptor) could not be kept private: \(systemErrorText(errno))")
        }
        return ListeningSocket(
            descriptor: descriptor, path: UnixAddress.boundPath(of: descriptor) ?? "", ownership: nil)
    }

    private static func option(_ name: Int32, of descriptor: Int32) -> Int32? {
        var value: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, name, &value, &length) == 0 ? value : nil
    }
}
