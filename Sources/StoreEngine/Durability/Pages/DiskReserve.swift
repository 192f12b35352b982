import Glibc
import StoreBasics

/// A file that holds disk space back, so that deletes have room for their pages when the disk is full.
///
/// Used with the writer's seat. It holds no data, and the store is whole without it: making it is tried, never
/// required.
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
        guard let file = file() else { return false }
        var status = stat()
        // A crash may have come before the file got its size.
        if fstat(file.number, &status) == 0, status.st_size >= EngineLimits.diskReserveBytes {
            return true
        }
        guard posix_fallocate(file.number, 0, off_t(EngineLimits.diskReserveBytes)) == 0 else {
            unlink(path)
            return false
        }
        return true
    }

    /// Made empty if it is missing; `nil` where it cannot be opened.
    private func file() -> OwnedDescriptor? {
        OwnedDescriptor(opening: path, in: AT_FDCWD, O_WRONLY | O_CREAT | O_NONBLOCK, mode: 0o600)
    }

    /// Whether the disk has room for writes: makes the file whole and tries to have more, because the free bytes that a
    /// file system tells leave out quotas.
    func findsRoomBeside() -> Bool {
        guard fill(), let file = file() else { return false }
        let end = off_t(EngineLimits.diskReserveBytes)
        let isThere = posix_fallocate(file.number, end, off_t(EngineLimits.diskRoomBytesMin)) == 0
        // Also what a try that failed has taken.
        return ftruncate(file.number, end) == 0 && isThere
    }

    /// Whether the disk has room for so many bytes now. The reserve must have been released.
    func hasRoom(for byteCount: Int) -> Bool {
        guard let file = file() else { return false }
        let isThere = posix_fallocate(file.number, 0, off_t(byteCount)) == 0
        return unlink(path) == 0 && isThere
    }

    /// Gives the space back to the file system.
    ///
    /// - Returns: false when there was none.
    func release() -> Bool {
        unlink(path) == 0
    }
}
