import Glibc
package import Logging
import StoreBasics

extension ListeningSocket {
    /// The processes that may connect. `AccessPolicy` decides what a connected caller may do.
    package enum Visitors: Sendable, Hashable {
        case everyone
        /// The daemon's own user and the members of a group.
        case group(UInt32)
        /// The daemon's own user and group.
        case own

        var mode: mode_t {
            switch self {
            case .everyone: 0o666
            case .group, .own: 0o660
            }
        }

        var groupOfFile: UInt32? {
            switch self {
            case .group(let group): group
            case .everyone, .own: nil
            }
        }
    }

    /// Creates a listening socket at `path`.
    ///
    /// - A live socket of another process is never replaced. A stale socket is replaced under a lock.
    /// - The socket's folder must belong to root or to the daemon's user, and must be sticky or not writable by
    ///   everyone.
    /// - The mode is set before any process can connect, and is never wider than the final one, not even for a moment.
    /// - Throws: `ServerError` with code `.socketInUse` or `.socketNotCreated`.
    package static func create(
        path: String, admitting visitors: Visitors, logger: Logger
    ) throws(ServerError) -> ListeningSocket {
        guard let address = UnixAddress(path: path) else {
            throw ServerError(
                .socketNotCreated,
                "the socket path has \(path.utf8.count) bytes; the system allows 1 to \(UnixAddress.pathBytesMax): "
                    + "choose another path with --socket")
        }
        try checkFolder(of: path)
        let lock = try SocketLock.acquire(forSocket: path)
        do {
            try removeStaleFile(at: path, address: address)
            return try bind(path: path, address: address, visitors: visitors, lock: lock, logger: logger)
        } catch {
            lock.release()
            throw error
        }
    }

    /// Rejects a folder that does not exist or in which other users could create another socket.
    ///
    /// - Throws: `ServerError` with code `.socketNotCreated`.
    package static func checkFolder(of path: String) throws(ServerError) {
        let folder = folder(of: path)
        var status = stat()
        guard stat(folder, &status) == 0 else {
            let failure = errno
            throw ServerError(
                .socketNotCreated,
                "the socket's folder \(folder) cannot be used: \(SystemError(failure)); create it, or choose "
                    + "another path with --socket")
        }
        guard status.st_uid == 0 || status.st_uid == geteuid() else {
            throw ServerError(
                .socketNotCreated,
                "the socket's folder \(folder) belongs to user \(status.st_uid), who could replace the socket: "
                    + "the folder must belong to root or to the daemon's user")
        }
        let isOpenToAll = status.st_mode & S_IWOTH != 0
        let isSticky = status.st_mode & S_ISVTX != 0
        guard !isOpenToAll || isSticky else {
            throw ServerError(
                .socketNotCreated,
                "the socket's folder \(folder) is writable by every user: remove that right (chmod o-w)")
        }
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Removes a socket on which no process listens. Any other file at the path is kept and causes an error.
    private static func removeStaleFile(at path: String, address: UnixAddress) throws(ServerError) {
        guard let status = FileIdentity.status(path: path) else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw ServerError(
                .socketNotCreated,
                "\(path) exists and is not a socket: move it away, or choose another path with --socket")
        }
        switch probe(address) {
        case 0, EAGAIN:
            throw ServerError(
                .socketInUse, "another process listens on \(path): stop it or choose another path with --socket")
        case ECONNREFUSED:
            guard unlink(path) == 0 || errno == ENOENT else {
                throw ServerError(
                    .socketNotCreated, "the stale socket \(path) could not be removed: \(SystemError.last)")
            }
        case ENOENT:
            return
        case let failure:
            throw ServerError(
                .socketNotCreated,
                "cannot determine whether a process listens on \(path): \(SystemError(failure)); if none does, "
                    + "remove the socket by hand")
        }
    }

    /// Connects and closes at once. Returns 0 or the errno. `EAGAIN` means a full queue, so a process is listening.
    private static func probe(_ address: UnixAddress) -> Int32 {
        let descriptor = unixSocket()
        guard descriptor >= 0 else { return errno }
        defer { close(descriptor) }
        let failed = address.withSocketAddress { connect(descriptor, $0, $1) } != 0
        return failed ? errno : 0
    }

    private static func bind(
        path: String, address: UnixAddress, visitors: Visitors, lock: SocketLock, logger: Logger
    ) throws(ServerError) -> ListeningSocket {
        let descriptor = unixSocket()
        guard descriptor >= 0 else { throw ServerError(.system, "a socket could not be created: \(SystemError.last)") }
        // At bind(), the file gets the mode of the socket minus the umask. It is private until it has its group.
        guard fchmod(descriptor, 0o600) == 0, address.withSocketAddress({ Glibc.bind(descriptor, $0, $1) }) == 0 else {
            let failure = SystemError.last
            close(descriptor)
            throw ServerError(.socketNotCreated, "the socket \(path) could not be bound: \(failure)")
        }
        guard let (hold, file) = FileIdentity.hold(path: path) else {
            let failure = SystemError.last
            close(descriptor)
            // The file is removed without a check of its identity: this process has just created it, and the lock kept
            // other daemons from replacing it.
            unlink(path)
            throw ServerError(.socketNotCreated, "the file of socket \(path) could not be opened: \(failure)")
        }
        let socket = ListeningSocket(
            descriptor: descriptor, path: path, ownership: Ownership(file: file, holdDescriptor: hold, lock: lock))
        do {
            try socket.admit(visitors, logger: logger)
            try socket.listen()
        } catch {
            close(descriptor)
            if FileIdentity(path: path) == file {
                unlink(path)
            }
            close(hold)
            throw error
        }
        return socket
    }

    /// Gives the file its group and its final mode. Without the right to change the group, the file keeps the daemon's
    /// own group. A group that is already right is not set again, because the hardened unit forbids the system call.
    private func admit(_ visitors: Visitors, logger: Logger) throws(ServerError) {
        let currentGroup = FileIdentity.status(path: path)?.st_gid
        if let group = visitors.groupOfFile, group != currentGroup, lchown(path, uid_t.max, group) != 0 {
            logger.warning(
                "the socket could not be given to the group of connect_group: is the daemon's user a member?",
                metadata: ["socket": "\(path)", "group": "\(group)", "error": "\(SystemError.last)"])
        }
        guard chmod(path, visitors.mode) == 0 else {
            throw ServerError(.socketNotCreated, "the mode of \(path) could not be set: \(SystemError.last)")
        }
    }

    private static func unixSocket() -> Int32 {
        socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    }
}
