import Glibc

struct SystemFailure: Error {
    let call: String
    let number: Int32
}

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

/// Returns the absolute path of a file of the repository, found from this file's own path below
/// Tests/DaemonConfigurationTests.
func repositoryPath(_ path: String, testFile: String = #filePath) -> String {
    let marker = "/Tests/DaemonConfigurationTests/"
    guard let range = testFile.firstRange(of: marker) else { return path }
    return testFile[..<range.lowerBound] + "/" + path
}
