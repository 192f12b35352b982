import FoundationEssentials
import Glibc
import StoreBasics

/// A temporary folder, mode 0700, whose path is short enough for a Unix socket in it. The folder and everything in it
/// is removed when the last reference is released. The folder is in memory if enough memory is free, because few tests
/// depend on the disk. Tests that need a disk of limited size use `SmallDisk`.
package final class TemporaryDirectory: Sendable {
    package let path: String

    /// The parent of all temporary folders: /dev/shm if 4 GiB are free there, otherwise /tmp.
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

    /// Writes a file, by default readable by its owner alone, and returns its path.
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

    /// Returns the text of a file; empty if the file does not exist.
    package func read(_ name: String) -> String {
        String(decoding: bytes(of: name) ?? [], as: UTF8.self)
    }

    /// Returns the content of a file; `nil` if the file does not exist.
    package func bytes(of name: String) -> [UInt8]? {
        FileManager.default.contents(atPath: file(name)).map { Array($0) }
    }

    /// Returns the sorted names in the folder.
    package func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }

    /// Returns the permissions of a file; `nil` if the file does not exist.
    package func mode(of name: String) -> UInt32? {
        var status = stat()
        return stat(file(name), &status) == 0 ? status.st_mode & 0o7777 : nil
    }
}
