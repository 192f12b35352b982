import FoundationEssentials
import Glibc

/// A folder under /tmp, so short that a socket's path fits, removed with everything in it when the last user is gone.
public final class TemporaryDirectory: Sendable {
    public let path: String

    public init() throws {
        var template = Array("/tmp/ghost-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw TestSupportError("mkdtemp failed: \(String(cString: strerror(errno)))")
        }
        path = template.withUnsafeBufferPointer { text in
            text.baseAddress.map { String(cString: $0) } ?? ""
        }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    public func file(_ name: String) -> String {
        "\(path)/\(name)"
    }

    /// Writes a file readable by its owner alone and gives its path.
    @discardableResult
    public func write(_ bytes: [UInt8], to name: String) throws -> String {
        let path = file(name)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw TestSupportError("could not make \(path): \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
            throw TestSupportError("could not write \(path): \(String(cString: strerror(errno)))")
        }
        return path
    }

    public func exists(_ name: String) -> Bool {
        access(file(name), F_OK) == 0
    }

    public func read(_ name: String) -> String {
        guard let data = FileManager.default.contents(atPath: file(name)) else {
            return ""
        }
        return String(decoding: data, as: UTF8.self)
    }
}
