import FoundationEssentials
import Glibc

/// A folder of one test, mode 0700, removed with everything in it. Its path is short enough for sockets.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = "/tmp/gs-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        guard mkdir(path, 0o700) == 0 else { throw SystemFailure(call: "mkdir", number: errno) }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func file(_ name: String) -> String {
        path + "/" + name
    }

    @discardableResult
    func write(_ text: String, to name: String, mode: mode_t = 0o600) throws -> String {
        let file = file(name)
        let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC, mode)
        guard descriptor >= 0 else { throw SystemFailure(call: "open", number: errno) }
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count, fchmod(descriptor, mode) == 0 else {
            throw SystemFailure(call: "write", number: errno)
        }
        return file
    }
}

struct SystemFailure: Error {
    let call: String
    let number: Int32
}

/// A file of the repository, read whole.
func repositoryFile(_ path: String, testFile: String = #filePath) throws -> [UInt8] {
    let file = repositoryPath(path, testFile: testFile)
    guard let stream = fopen(file, "r") else { throw SystemFailure(call: "fopen \(file)", number: errno) }
    defer { fclose(stream) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&chunk, 1, chunk.count, stream), count > 0 {
        bytes += chunk.prefix(count)
    }
    return bytes
}

/// Where a file of the repository is: this file lies in Tests/DaemonConfigurationTests/Support.
func repositoryPath(_ path: String, testFile: String = #filePath) -> String {
    let marker = "/Tests/DaemonConfigurationTests/"
    guard let range = testFile.firstRange(of: marker) else { return path }
    return testFile[..<range.lowerBound] + "/" + path
}
