import FoundationEssentials
import Glibc
import TestBasics

/// A program that runs while the test continues. It is killed when the last reference to it is released.
package final class RunningProgram: Sendable {
    private let directory: TemporaryDirectory
    private let process: ChildProcess

    /// Starts the program, with an empty standard input. Its output goes to files.
    ///
    /// - Parameters:
    ///   - path: an absolute path; `BuiltPrograms.path` returns the paths of this package's programs.
    ///   - environment: variables in addition to a minimal environment (PATH, HOME, LANG).
    package init(_ path: String, _ arguments: [String] = [], environment: [String: String] = [:]) throws {
        directory = try TemporaryDirectory()
        let streams = ChildProcess.Streams(
            outputPath: directory.file("out"), errorPath: directory.file("err"))
        process = try ChildProcess(
            path: path, arguments: arguments, environment: ChildEnvironment.minimal(adding: environment),
            streams: streams)
    }

    /// The standard output so far.
    package var output: String { directory.read("out") }
    package var errorOutput: String { directory.read("err") }

    package var processID: Int32 { process.id }

    package func signal(_ number: CInt) {
        process.signal(number)
    }

    package var isRunning: Bool {
        process.isRunning
    }

    /// Returns true if the program has installed a handler for the signal (proc(5), SigCgt).
    package func heeds(_ number: CInt) -> Bool {
        guard let status = FileManager.default.contents(atPath: "/proc/\(process.id)/status") else { return false }
        let line = String(decoding: status, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("SigCgt:") }
        let mask = line?.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) } ?? 0
        return mask & (1 << UInt64(number - 1)) != 0
    }

    /// Waits until the program ends, and returns its status and output. Throws an error if it still runs after `limit`.
    @discardableResult
    package func wait(within limit: Duration = .seconds(30)) async throws -> ProgramResult {
        let status = try await process.wait(within: limit)
        return ProgramResult(status: status, output: output, errorOutput: errorOutput)
    }
}
