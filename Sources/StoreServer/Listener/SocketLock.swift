import CLinuxShims
import Glibc
import StoreBasics

/// An exclusive lock beside a socket (`<path>.lock`), held while the socket is ours: between asking whether a socket
/// is alive and replacing it, no other daemon may do the same.
struct SocketLock: Sendable, Hashable {
    let path: String
    private let descriptor: Int32

    /// Tries when the lock file is removed by its owner between opening and locking it.
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

    /// Removes the lock file, then the lock, in this order: whoever waits sees that the file it opened is gone.
    func release() {
        unlink(path)
        close(descriptor)
    }

    /// False when the name no longer stands for the locked file.
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
                another ghoststored serves this socket and has locked \(path): stop that daemon, or choose \
                another path
                """)
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return false }
        return FileIdentity(path: path) == FileIdentity(status)
    }
}

/// Which file a name stands for, so that a name that was taken over by another file is noticed.
struct FileIdentity: Sendable, Hashable {
    let device: UInt64
    let inode: UInt64

    init(_ status: stat) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
    }

    /// Keeps the file's inode number from being given to another file, even after it is removed: without that a file
    /// with the same identity could be another one. Returns a descriptor to close, or `nil` with `errno`.
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

    /// The file of that name, symbolic links not followed; `nil` when there is none.
    init?(path: String) {
        guard let status = Self.status(path: path) else { return nil }
        self.init(status)
    }

    static func status(path: String) -> stat? {
        var status = stat()
        return lstat(path, &status) == 0 ? status : nil
    }
}
