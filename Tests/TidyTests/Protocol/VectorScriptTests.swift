import Foundation
import Testing

@Suite struct VectorScriptTests {
    private static let folder = "proto-docs/vectors"
    private static let hasPython = run("python3", "-c", "print(1)") != nil

    @Test(.enabled(if: hasPython, "python3 is not installed"), arguments: ["keyring", "journal", "replication"])
    func `a vector is what its script prints, byte for byte`(of format: String) throws {
        let folder = Self.folder + "/" + format
        let script = Repository.root.appending(path: folder + "/make.py").path(percentEncoded: false)
        #expect(try Self.run("python3", script) == Repository.text(folder + "/\(format)-v1.txt"))
    }

    /// Runs a command.
    ///
    /// - Returns: the output; `nil` if the command does not exist or fails.
    private static func run(_ command: String...) -> String? {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = command
        let output = Pipe()
        process.standardOutput = output
        guard (try? process.run()) != nil, let printed = try? output.fileHandleForReading.readToEnd() else {
            return nil
        }
        process.waitUntilExit()
        return process.terminationStatus == 0 ? String(decoding: printed, as: UTF8.self) : nil
    }
}
