import Glibc
import StoreBasics

/// A Unix stream socket that clients connect to: made by us, or inherited from the service manager.
///
/// The server's channel takes the descriptor over and closes it; the file is removed with `removeFile()`.
package struct ListeningSocket: Sendable, Hashable {
    /// Connections that may wait to be accepted. The kernel lowers it to net.core.somaxconn.
    private static let backlogConnections: Int32 = 4_096
    /// Bytes of a socket's path at most (unix(7)).
    package static let pathBytesMax = UnixAddress.pathBytesMax

    package let descriptor: Int32
    /// Empty when an inherited socket has an abstract name.
    package let path: String
    /// An inherited socket belongs to the service manager: it keeps listening for the next start and its file stays.
    package let isInherited: Bool
    /// `nil` for inherited sockets.
    let ownership: Ownership?

    /// What shows that the file at `path` is the one we made.
    struct Ownership: Sendable, Hashable {
        let file: FileIdentity
        /// From `FileIdentity.hold`.
        let holdDescriptor: Int32
        let lock: SocketLock
    }

    init(descriptor: Int32, path: String, ownership: Ownership?) {
        self.descriptor = descriptor
        self.path = path
        self.ownership = ownership
        isInherited = ownership == nil
    }

    /// Lets clients connect. Harmless on a socket that listens already: it only sets the length of the queue, so it is
    /// called again after a network library has set a shorter one of its own.
    ///
    /// - Throws: `ServerError` with code `.system`.
    package func listen() throws(ServerError) {
        guard Glibc.listen(descriptor, Self.backlogConnections) == 0 else {
            throw ServerError(.system, "listening on \(path) failed: \(SystemError.last)")
        }
    }

    /// Removes the socket's file if it is still the one we made, and gives up the lock beside it. Inherited sockets
    /// are left alone. Returns whether the file was removed.
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
    /// Takes a socket that the service manager made (systemd.socket(5)), after checking that it is what we need.
    ///
    /// - Throws: `ServerError` with code `.configuration` when it is not a listening Unix stream socket.
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
