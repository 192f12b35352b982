import FoundationEssentials
import Glibc
import StoreBasics

/// A folder, mode 0700, with a path so short that a socket's path fits. It is removed with everything in it when the
/// last user is gone. It lies in memory where there is enough, as few tests are about the disk: see SmallDisk.
package final class TemporaryDirectory: Sendable {
    package let path: String

    /// Where all of them lie: /dev/shm where 4 GiB are free, or /tmp.
    package static let root: String = {
        var status = statvfs()
        guard statvfs("/dev/shm", &status) == 0, access("/dev/shm", W_OK | X_OK) == 0 else { return "/tmp" }
        return UInt64(status.f_bavail) * UInt64(status.f_frsize) >= 4 << 30 ? "/dev/shm" : "/tmp"
    }()

    package init() throws {
        var template = Array("\(Self.root)/ghost-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemError.last }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    package func file(_ name: String) -> String {
        "\(path)/\(name)"
    }

    /// Writes a file, readable by its owner alone unless told otherwise, and gives its path.
    @discardableResult
    package func write(_ bytes: [UInt8], to name: String, mode: UInt32 = 0o600) throws -> String {
        let path = file(name)
        let descriptor = try withoutInterruption { open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600) }
        defer { close(descriptor) }
        try bytes.withUnsafeBytes { try FileDescriptorCalls.write(descriptor, $0) }
        try withoutInterruption { fchmod(descriptor, mode) }
        return path
    }

    @discardableResult
    package func write(_ text: String, to name: String, mode: UInt32 = 0o600) throws -> String {
        try write(Array(text.utf8), to: name, mode: mode)
    }

    package func exists(_ name: String) -> Bool {
        access(file(name), F_OK) == 0
    }

    /// The text of a file; empty when there is none.
    package func read(_ name: String) -> String {
        String(decoding: bytes(of: name) ?? [], as: UTF8.self)
    }

    /// The content of a file; `nil` when there is none.
    package func bytes(of name: String) -> [UInt8]? {
        FileManager.default.contents(atPath: file(name)).map { Array($0) }
    }

    /// What lies in the folder, sorted.
    package func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }

    /// The permissions of a file; `nil` when there is none.
    package func mode(of name: String) -> UInt32? {
        var status = stat()
        return stat(file(name), &status) == 0 ? status.st_mode & 0o7777 : nil
    }
}
