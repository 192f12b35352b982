import FoundationEssentials
package import TestBasics

package struct ProgramResult: Sendable {
    package let status: ExitStatus
    package let output: String
    package let errorOutput: String

    package init(status: ExitStatus, output: String, errorOutput: String) {
        (self.status, self.output, self.errorOutput) = (status, output, errorOutput)
    }

    /// The exit code; `nil` when a signal ended the process.
    package var exitCode: Int32? {
        if case .exited(let code) = status { code } else { nil }
    }
}

/// Runs programs until they end and captures their output.
package enum Program {
    /// Runs a program and returns its result.
    ///
    /// - Parameters:
    ///   - path: an absolute path; `BuiltPrograms.path` returns the paths of this package's programs.
    ///   - input: the bytes of standard input.
    ///   - environment: variables in addition to a minimal environment (PATH, HOME, LANG).
    package static func run(
        _ path: String, _ arguments: [String] = [], input: [UInt8] = [], environment: [String: String] = [:],
        within limit: Duration = .seconds(60)
    ) async throws -> ProgramResult {
        let directory = try TemporaryDirectory()
        let streams = ChildProcess.Streams(
            inputPath: try directory.write(input, to: "in"), outputPath: directory.file("out"),
            errorPath: directory.file("err"))
        let process = try ChildProcess(
            path: path, arguments: arguments, environment: ChildEnvironment.minimal(adding: environment),
            streams: streams)
        let status = try await process.wait(within: limit)
        return ProgramResult(status: status, output: directory.read("out"), errorOutput: directory.read("err"))
    }

    /// Starts a program and does not wait for its end.
    /// - Parameter directory: the folder in which the program's output is written to the files `out` and `err`.
    package static func launch(
        _ path: String, _ arguments: [String] = [], writingTo directory: TemporaryDirectory
    ) throws -> ChildProcess {
        let streams = ChildProcess.Streams(outputPath: directory.file("out"), errorPath: directory.file("err"))
        return try ChildProcess(
            path: path, arguments: arguments, environment: ChildEnvironment.minimal(adding: [:]), streams: streams)
    }

    /// Runs a script with /bin/sh.
    package static func shell(
        _ script: String, input: [UInt8] = [], environment: [String: String] = [:],
        within limit: Duration = .seconds(60)
    ) async throws -> ProgramResult {
        try await run("/bin/sh", ["-c", script], input: input, environment: environment, within: limit)
    }
}

/// The environment of child processes: only PATH, HOME and LANG, so that tests do not depend on the user's settings.
package enum ChildEnvironment {
    package static func minimal(adding more: [String: String]) -> [String: String] {
        let own = ProcessInfo.processInfo.environment
        let kept = ["PATH", "HOME"].reduce(into: ["LANG": "C.UTF-8"]) { kept, name in
            kept[name] = own[name]
        }
        return kept.merging(more) { _, new in new }
    }
}
