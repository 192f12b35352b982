import Glibc
import StoreBasics

/// A file system in memory with a size of its own, mounted on a folder until the end of its life.
package final class SmallDisk: Sendable {
    package let path: String
    private let ballast: String
    /// What it is mounted on, when that is its own.
    private let directory: TemporaryDirectory?

    /// On a folder of its own.
    ///
    /// - Throws: when this user may not mount.
    package convenience init(bytes: Int) throws {
        let directory = try TemporaryDirectory()
        try self.init(at: directory.path, bytes: bytes, directory: directory)
    }

    /// - Parameter path: where it is mounted; the folder is made when it is not there.
    /// - Throws: when the folder cannot be made or this user may not mount.
    package convenience init(at path: String, bytes: Int) throws {
        try self.init(at: path, bytes: bytes, directory: nil)
    }

    private init(at path: String, bytes: Int, directory: TemporaryDirectory?) throws {
        self.path = path
        self.directory = directory
        ballast = path + "/ballast"
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw SystemError.last }
        try withoutInterruption { mount("tmpfs", path, "tmpfs", 0, "size=\(bytes),mode=0700") }
    }

    deinit {
        umount2(path, Int32(MNT_DETACH))
    }

    /// Takes all the space but for what is to be left.
    package func fill(leaving leftBytes: UInt64 = 0) throws {
        let file = try withoutInterruption { open(ballast, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600) }
        defer { close(file) }
        guard leftBytes > 0 else {
            let block = [UInt8](repeating: 0, count: 4_096)
            while write(file, block, block.count) > 0 {}
            return
        }
        var space = statvfs()
        try withoutInterruption { fstatvfs(file, &space) }
        let freeBytes = UInt64(space.f_bavail) * UInt64(space.f_frsize)
        let number = posix_fallocate(file, 0, off_t(freeBytes - leftBytes))
        guard number == 0 else { throw SystemError(number) }
    }

    /// Gives back what `fill` took.
    package func release() {
        unlink(ballast)
    }

    /// Whether this user may mount at all.
    package static let isMountable = (try? SmallDisk(bytes: 1 << 20)) != nil
}
