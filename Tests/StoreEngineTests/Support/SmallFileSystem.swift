import Glibc

@testable import StoreEngine

/// A file system in memory with a size of its own and a folder for a store on it, until the end of its life.
final class SmallFileSystem {
    let path: String

    /// - Throws: when this user may not mount.
    init(bytes: Int) throws {
        var template = Array("/tmp/ghoststore-disk-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw StoreError(.storageFailed, "no temporary folder") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard mount("tmpfs", path, "tmpfs", 0, "size=\(bytes),mode=0700") == 0 else {
            rmdir(path)
            throw SystemFailure.error("no file system was mounted", errno)
        }
    }

    deinit {
        umount2(path, Int32(MNT_DETACH))
        rmdir(path)
    }

    /// Takes all the space but for what is to be left.
    func fill(leaving left: UInt64 = 0) throws {
        let free = try StateDirectory(path: path).freeBytes
        let file = open(path + "/ballast", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw SystemFailure.error("no ballast", errno) }
        defer { close(file) }
        guard left > 0 else {
            let block = [UInt8](repeating: 0, count: 4_096)
            while write(file, block, block.count) > 0 {}
            return
        }
        guard posix_fallocate(file, 0, off_t(free - left)) == 0 else {
            throw StoreError(.storageFailed, "no room for the ballast")
        }
    }

    func release() {
        unlink(path + "/ballast")
    }

    static let isMountable = (try? SmallFileSystem(bytes: 1 << 20)) != nil
}
