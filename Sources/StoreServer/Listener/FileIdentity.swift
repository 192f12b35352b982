internal import CLinuxShims
internal import Glibc

/// Which file a name stands for, so that a name that was taken over by another file is noticed.
struct FileIdentity: Sendable, Hashable {
    let device: UInt64
    let inode: UInt64

    init(_ status: stat) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
    }

    /// Keeps the file's inode number from being given to another file, even after it is removed: without that a file
    /// with the same identity could be another one. Returns a descriptor to close, or nil.
    static func hold(path: String) -> Int32? {
        let descriptor = ghost_hold_file(path)
        return descriptor >= 0 ? descriptor : nil
    }

    /// The file of that name, symbolic links not followed; nil when there is none.
    init?(path: String) {
        guard let status = Self.status(path: path) else { return nil }
        self.init(status)
    }

    static func status(path: String) -> stat? {
        var status = stat()
        return lstat(path, &status) == 0 ? status : nil
    }
}
