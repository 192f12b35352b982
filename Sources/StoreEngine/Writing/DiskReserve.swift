import Glibc

/// A file that holds disk space back, so that deletes have room for their pages when the disk is full.
///
/// Used on the writer thread. It holds no data, and the store is whole without it: making it is tried, never required.
struct DiskReserve {
    private let directory: StateDirectory

    private var path: String { directory.reserve }

    init(_ directory: StateDirectory) {
        self.directory = directory
    }

    /// Of the file system, without the reserve.
    var freeBytes: UInt64 { directory.freeBytes }

    /// Makes the file if it is missing and the disk has room for all of it.
    ///
    /// - Returns: whether the space is held back now.
    @discardableResult
    func fill() -> Bool {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var status = stat()
        // A crash may have come before the file got its size.
        if fstat(descriptor, &status) == 0, status.st_size >= EngineLimits.diskReserveBytes {
            return true
        }
        guard posix_fallocate(descriptor, 0, off_t(EngineLimits.diskReserveBytes)) == 0 else {
            unlink(path)
            return false
        }
        return true
    }

    /// Whether the disk has room for writes: makes the file whole and tries to have more, because the free bytes that a
    /// file system tells leave out quotas.
    func findsRoomBeside() -> Bool {
        guard fill() else { return false }
        let descriptor = open(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        let end = off_t(EngineLimits.diskReserveBytes)
        let isThere = posix_fallocate(descriptor, end, off_t(EngineLimits.diskRoomBytesMin)) == 0
        // Also what a try that failed has taken.
        return ftruncate(descriptor, end) == 0 && isThere
    }

    /// Whether the disk has room for so many bytes now. The reserve must have been released.
    func hasRoom(for byteCount: Int) -> Bool {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        let isThere = posix_fallocate(descriptor, 0, off_t(byteCount)) == 0
        return unlink(path) == 0 && isThere
    }

    /// Gives the space back to the file system.
    ///
    /// - Returns: false when there was none.
    func release() -> Bool {
        unlink(path) == 0
    }
}
