import Glibc

/// The lock on a state directory, held for the life of the daemon. The kernel releases it when the process ends,
/// however it ends, so a lock file left behind means nothing.
final class StateDirectoryLock: Sendable {
    private let descriptor: Int32

    /// - Throws: `.storeBusy` when another process holds it.
    init(_ directory: StateDirectory) throws(StoreError) {
        let path = directory.path + "/" + StateDirectory.lockName
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw SystemFailure.error("the lock of the state directory cannot be opened", errno)
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            // The end of this object closes the descriptor, also when its making fails from here on.
            let number = errno
            guard number == EWOULDBLOCK else {
                throw SystemFailure.error("the state directory cannot be locked", number)
            }
            throw StoreError(
                .storeBusy, "another ghoststored serves this state directory; stop it or choose another directory")
        }
    }

    /// Lets another daemon have the directory; no harm the second time.
    func release() {
        flock(descriptor, LOCK_UN)
    }

    deinit {
        close(descriptor)
    }
}
