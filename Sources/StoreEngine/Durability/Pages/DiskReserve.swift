import Glibc
import StoreBasics

/// A file that keeps disk space allocated, so that deletes have room for their pages when the disk is full.
///
/// Only the thread that holds the writer lock may use it. The file contains no data, and the store works without it if
/// it cannot be created.
struct DiskReserve {
    private let directory: StateDirectory

    private var path: String { directory.reserve }

    init(_ directory: StateDirectory) {
        self.directory = directory
    }

    /// The free bytes of the file system, not counting the reserve.
    var freeBytes: UInt64 { directory.freeBytes }

    /// Creates the file if it is missing and the disk has room for all of it.
    ///
    /// - Returns: `true` if the space is allocated now.
    @discardableResult
    func fill() -> Bool {
        guard let file = file() else { return false }
        var status = stat()
        // An existing file may be shorter, if a crash came before it got its size.
        if fstat(file.number, &status) == 0, status.st_size >= EngineLimits.diskReserveBytes {
            return true
        }
        guard posix_fallocate(file.number, 0, off_t(EngineLimits.diskReserveBytes)) == 0 else {
            unlink(path)
            return false
        }
        return true
    }

    /// Opens the file, creating an empty one if it is missing; `nil` if it cannot be opened.
    private func file() -> OwnedDescriptor? {
        OwnedDescriptor(opening: path, in: AT_FDCWD, O_WRONLY | O_CREAT | O_NONBLOCK, mode: 0o600)
    }

    /// Returns true if the disk has room for writes besides the reserve. Finds this out by allocating, because the
    /// number of free bytes that a file system reports does not include quotas.
    func findsRoomBeside() -> Bool {
        guard fill(), let file = file() else { return false }
        let end = off_t(EngineLimits.diskReserveBytes)
        let isThere = posix_fallocate(file.number, end, off_t(EngineLimits.diskRoomBytesMin)) == 0
        // Truncate after a failed attempt too, because it may have allocated some of the space.
        return ftruncate(file.number, end) == 0 && isThere
    }

    /// Returns true if the disk has room for `byteCount` bytes now. The reserve must have been released.
    func hasRoom(for byteCount: Int) -> Bool {
        guard let file = file() else { return false }
        let isThere = posix_fallocate(file.number, 0, off_t(byteCount)) == 0
        return unlink(path) == 0 && isThere
    }

    /// Returns the reserved space to the file system.
    ///
    /// - Returns: `false` if there was no reserve.
    func release() -> Bool {
        unlink(path) == 0
    }
}
