import CLinuxShims
import Glibc
import StoreBasics

/// An exclusive lock beside a socket (`<path>.lock`), held as long as this process owns the socket. It prevents another
/// daemon from replacing the socket between the check for a live socket and the replacement.
struct SocketLock: Sendable, Hashable {
    let path: String
    private let descriptor: Int32

    /// The number of attempts to lock the file, because the owner may remove the file after this process has opened it
    /// and before it has locked it.
    private static let attemptsMax = 16

    static func acquire(forSocket socketPath: String) throws(ServerError) -> SocketLock {
        let path = socketPath + ".lock"
        for _ in 0..<attemptsMax {
            let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else {
                throw ServerError(
                    .socketNotCreated, "the lock file \(path) could not be opened: \(SystemError.last)")
            }
            guard try lock(descriptor, path: path) else {
                close(descriptor)
                continue
            }
            return SocketLock(path: path, descriptor: descriptor)
        }
        throw ServerError(.socketInUse, "other daemons are starting and stopping on \(socketPath): try again")
    }

    /// Removes the lock file and then releases the lock. With this order, a waiting process sees that the file it
    /// opened is gone.
    func release() {
        unlink(path)
        close(descriptor)
    }

    /// Locks the file. Returns false if the name no longer refers to the locked file.
    private static func lock(_ descriptor: Int32, path: String) throws(ServerError) -> Bool {
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let failure = errno
            close(descriptor)
            guard failure == EWOULDBLOCK else {
                throw ServerError(.socketNotCreated, "\(path) could not be locked: \(SystemError(failure))")
            }
            throw ServerError(
                .socketInUse,
                """
                another ghoststored serves this socket and has locked \(path): stop that daemon, or choose another \
                path with --socket
                """)
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return false }
        return FileIdentity(path: path) == FileIdentity(status)
    }
}

/// The identity of the file that a name refers to. It shows when another file has taken over the name.
struct FileIdentity: Sendable, Hashable {
    let device: UInt64
    let inode: UInt64

    init(_ status: stat) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
    }

    /// Keeps the kernel from giving the file's inode number to another file, even after the file is removed. Otherwise
    /// a file with the same identity could be a different one. Returns a descriptor to close, or `nil` with `errno`.
    static func hold(path: String) -> (descriptor: Int32, file: FileIdentity)? {
        let descriptor = ghost_hold_file(path)
        guard descriptor >= 0 else { return nil }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let failure = errno
            close(descriptor)
            errno = failure
            return nil
        }
        return (descriptor, FileIdentity(status))
    }

    /// Reads the identity of the file at the path, without following symbolic links; `nil` if the file does not exist.
    init?(path: String) {
        guard let status = Self.status(path: path) else { return nil }
        self.init(status)
    }

    static func status(path: String) -> stat? {
        var status = stat()
        return lstat(path, &status) == 0 ? status : nil
    }
}
