import Glibc
import StoreBasics

/// A Unix stream socket that clients connect to. It was created by this process or inherited from the service manager.
///
/// The server's channel takes over the descriptor and closes it. `removeFile()` removes the file.
package struct ListeningSocket: Sendable, Hashable {
    /// The number of connections that may wait to be accepted. The kernel reduces it to net.core.somaxconn.
    private static let backlogConnections: Int32 = 4_096
    /// The largest size of a socket's path in bytes (unix(7)).
    package static let pathBytesMax = UnixAddress.pathBytesMax

    package let descriptor: Int32
    /// The path; empty if an inherited socket has an abstract name.
    package let path: String
    /// True for a socket that belongs to the service manager. It keeps listening for the next start, and its file
    /// stays.
    package let isInherited: Bool
    /// `nil` for an inherited socket.
    let ownership: Ownership?

    /// The evidence that this process created the file at `path`.
    struct Ownership: Sendable, Hashable {
        let file: FileIdentity
        /// The descriptor from `FileIdentity.hold`.
        let holdDescriptor: Int32
        let lock: SocketLock
    }

    init(descriptor: Int32, path: String, ownership: Ownership?) {
        self.descriptor = descriptor
        self.path = path
        self.ownership = ownership
        isInherited = ownership == nil
    }

    /// Lets clients connect. On a socket that already listens, it only sets the length of the queue. So it is called
    /// again after a network library has set a shorter queue.
    ///
    /// - Throws: `ServerError` with code `.system`.
    package func listen() throws(ServerError) {
        guard Glibc.listen(descriptor, Self.backlogConnections) == 0 else {
            throw ServerError(.system, "listening on \(path) failed: \(SystemError.last)")
        }
    }

    /// Removes the socket's file if it is still the file that this process created, and releases the lock beside it.
    /// Does nothing for an inherited socket. Returns whether the file was removed.
    @discardableResult
    package func removeFile() -> Bool {
        guard let ownership else { return false }
        defer {
            close(ownership.holdDescriptor)
            ownership.lock.release()
        }
        guard FileIdentity(path: path) == ownership.file else { return false }
        return unlink(path) == 0
    }
}

extension ListeningSocket {
    /// Takes over a socket that the service manager created (systemd.socket(5)), after checking its kind.
    ///
    /// - Throws: `ServerError` with code `.configuration` if it is not a listening Unix stream socket.
    package static func adopt(_ descriptor: Int32) throws(ServerError) -> ListeningSocket {
        guard let domain = option(SO_DOMAIN, of: descriptor), let type = option(SO_TYPE, of: descriptor),
            let accepts = option(SO_ACCEPTCONN, of: descriptor)
        else {
            throw ServerError(
                .configuration, "the inherited descriptor \(descriptor) is not a socket: \(SystemError.last)")
        }
        guard domain == AF_UNIX, type == Int32(SOCK_STREAM.rawValue), accepts == 1 else {
            throw ServerError(
                .configuration,
                "the inherited socket \(descriptor) is not a listening Unix stream socket: use ListenStream= with a "
                    + "path")
        }
        let flags = fcntl(descriptor, F_GETFD)
        guard flags >= 0, fcntl(descriptor, F_SETFD, flags | FD_CLOEXEC) == 0 else {
            throw ServerError(
                .system,
                "the inherited socket \(descriptor) could not be hidden from child processes: \(SystemError.last)")
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
