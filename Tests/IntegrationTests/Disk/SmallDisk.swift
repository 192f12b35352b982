import GhostTestSupport
import Glibc

/// A file system in memory with a size of its own, mounted on a folder until the end of its life.
final class SmallDisk {
    private let path: String

    /// - Throws: when the folder cannot be made or this user may not mount.
    init(at path: String, bytes: Int) throws {
        self.path = path
        guard mkdir(path, 0o700) == 0, mount("tmpfs", path, "tmpfs", 0, "size=\(bytes),mode=0700") == 0 else {
            throw TestSupportError("could not mount on \(path): \(String(cString: strerror(errno)))")
        }
    }

    deinit {
        umount2(path, Int32(MNT_DETACH))
    }

    /// Takes all the space that is left.
    func fillUp() throws {
        let file = open("\(path)/ballast", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw TestSupportError("no ballast: \(String(cString: strerror(errno)))") }
        defer { close(file) }
        let block = [UInt8](repeating: 0, count: 4_096)
        while write(file, block, block.count) > 0 {}
    }

    func release() {
        unlink("\(path)/ballast")
    }

    /// Whether this user may mount at all.
    static let isMountable: Bool = {
        guard let directory = try? TemporaryDirectory() else { return false }
        return (try? SmallDisk(at: directory.file("disk"), bytes: 1 << 20)) != nil
    }()
}
