import Foundation
import Testing

@Suite struct VectorScriptTests {
    private static let folder = "proto-docs/vectors/keyring"
    private static let hasPython = run("python3", "-c", "print(1)") != nil

    @Test(.enabled(if: hasPython, "python3 is not installed"))
    func `the vector of the keyring is what its script prints, byte for byte`() throws {
        let script = Repository.root.appending(path: Self.folder + "/make.py").path(percentEncoded: false)
        #expect(try Self.run("python3", script) == Repository.text(Self.folder + "/keyring-v1.txt"))
    }

    /// - Returns: what the command prints; `nil` where it is not there or fails.
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
