import Glibc

/// A directory of its own for one test, gone with this value.
final class TemporaryDirectory: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/StoreCryptoTests.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure.cannotCreate(errno) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        for name in names() {
            unlink(path(of: name))
        }
        rmdir(path)
    }

    enum Failure: Error {
        case cannotCreate(Int32)
        case cannotWrite(String, Int32)
    }

    func path(of name: String) -> String {
        "\(path)/\(name)"
    }

    func names() -> [String] {
        guard let directory = opendir(path) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    func write(_ bytes: [UInt8], to name: String, mode: mode_t = 0o600) throws {
        let descriptor = open(path(of: name), O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        guard descriptor >= 0 else { throw Failure.cannotWrite(name, errno) }
        defer { close(descriptor) }
        guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count, fchmod(descriptor, mode) == 0 else {
            throw Failure.cannotWrite(name, errno)
        }
    }

    /// Nil when there is no such file.
    func read(_ name: String) -> [UInt8]? {
        let descriptor = open(path(of: name), O_RDONLY)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        return count < 0 ? nil : Array(buffer.prefix(count))
    }

    func mode(of name: String) -> mode_t? {
        var status = stat()
        return stat(path(of: name), &status) == 0 ? status.st_mode & 0o7777 : nil
    }
}
