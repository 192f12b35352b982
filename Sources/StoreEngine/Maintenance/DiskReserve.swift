import Glibc

/// A file that holds disk space back, so that deletes have room for their pages when the disk is full.
///
/// Used on the writer thread. It holds no data, and the store is whole without it: making it is tried, never required.
struct DiskReserve {
    private let path: String

    init(_ directory: StateDirectory) {
        path = directory.reserve
    }

    /// Makes the file if it is missing and the disk has room for all of it.
    func fill() {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        let result = posix_fallocate(descriptor, 0, off_t(EngineLimits.diskReserveBytes))
        close(descriptor)
        if result != 0 {
            unlink(path)
        }
    }

    /// Gives the space back to the file system.
    ///
    /// - Returns: false when there was none.
    func release() -> Bool {
        unlink(path) == 0
    }
}
