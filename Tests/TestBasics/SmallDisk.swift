import Glibc
import StoreBasics

/// A file system in memory with a limited size. It is mounted on a folder until the object is released.
package final class SmallDisk: Sendable {
    package let path: String
    private let ballast: String
    /// The folder of the mount, if this object created it.
    private let directory: TemporaryDirectory?

    /// Mounts the file system on a new temporary folder.
    ///
    /// - Throws: when this user may not mount.
    package convenience init(bytes: Int) throws {
        let directory = try TemporaryDirectory()
        try self.init(at: directory.path, bytes: bytes, directory: directory)
    }

    /// Mounts the file system on a given folder.
    ///
    /// - Parameter path: the mount point. A missing folder is created.
    /// - Throws: when the folder cannot be created or this user may not mount.
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

    /// Fills the disk until only `leftBytes` are free.
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

    /// Frees the space that `fill` used.
    package func release() {
        unlink(ballast)
    }

    /// True if this user may mount file systems. Tests that need a small disk are skipped otherwise.
    package static let isMountable = (try? SmallDisk(bytes: 1 << 20)) != nil
}
