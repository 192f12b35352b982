import FoundationEssentials
import Glibc

@testable import ghoststore_bench

/// The built `ghoststore-bench`, and the programs that it measures.
enum BenchProgram {
    private static let name = "ghoststore-bench"
    private static let secondsMax = 180

    /// Runs the program to its end.
    ///
    /// - Returns: its output and its error output.
    /// - Throws: `BenchError` with the last lines of this output if the program fails or takes longer than
    ///   `secondsMax`.
    static func run(_ arguments: [String]) throws -> String {
        try withTestFolder { folder in
            // At 200 columns, the help does not wrap the line of a scenario or an attack.
            let start = ["timeout", "\(secondsMax)", "env", "COLUMNS=200", try path()]
            return try ChildProcess.run(start + arguments, outputPath: "\(folder)/output")
        }
    }

    /// Returns the path of a program that `make test-build` builds in the main package.
    static func measured(_ name: String) throws -> String {
        // This file, Benchmarks/Tests/GhoststoreBenchTests/Support/BenchProgram.swift, is five levels below the root.
        let root = #filePath.split(separator: "/").dropLast(5).reduce("") { "\($0)/\($1)" }
        return try executable("\(root)/.build-tests/release/\(name)", hint: "make test-build")
    }

    /// Returns the path of `ghoststore-bench`, which the package manager links into the folder of the tests.
    private static func path() throws -> String {
        let folder = try Programs.own().split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
        return try executable("\(folder)/\(name)", hint: "make test-bench")
    }

    private static func executable(_ path: String, hint: String) throws -> String {
        guard access(path, X_OK) == 0 else { throw BenchError("no program at \(path); hint: \(hint)") }
        return path
    }
}

/// Runs the body with a new folder, and removes the folder.
func withTestFolder<Result>(_ body: (String) throws -> Result) throws -> Result {
    var template = Array("/tmp/ghoststore-bench-tests.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw BenchError("could not make a folder in /tmp") }
    let path = String(decoding: template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { try? FileManager.default.removeItem(atPath: path) }
    // If the tests run as root, the attacker and the victim are other users and have to reach the socket in the folder.
    chmod(path, 0o711)
    return try body(path)
}
