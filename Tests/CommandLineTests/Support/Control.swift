import FoundationEssentials
import GhostTestSupport
import Testing

/// ghoststorectl against a daemon. Commands run in the process of the tests, which saves the start of a program for
/// each; a test about signals, terminals, pipes or descriptors starts the built program.
struct Control: Sendable {
    let socketPath: String

    init(_ daemon: TestDaemon) {
        self.init(socketPath: daemon.socketPath)
    }

    init(socketPath: String) {
        self.socketPath = socketPath
    }

    /// The built program. Starting it fails with this name when it was not built.
    static let path = (try? BuiltPrograms.path("ghoststorectl")) ?? "/ghoststorectl is not built"

    /// Runs a command and gives what it left, whatever its status.
    func run(
        _ arguments: String..., input: String = "", environment: [String: String] = [:]
    ) async throws -> ProgramResult {
        try await run(arguments, input: Array(input.utf8), environment: environment)
    }

    func run(
        _ arguments: [String], input: [UInt8] = [], environment: [String: String] = [:]
    ) async throws -> ProgramResult {
        try await Control.run(
            arguments, input: input,
            environment: ["GHOSTSTORE_SOCKET": socketPath].merging(environment) { _, new in new })
    }

    /// Runs a command that has to succeed and gives its standard output.
    @discardableResult
    func text(
        _ arguments: String..., input: String = "", sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> String {
        let result = try await run(arguments, input: Array(input.utf8))
        #expect(
            result.exitCode == 0, "\(arguments) failed: \(result.errorOutput)", sourceLocation: sourceLocation)
        return result.output
    }

    /// Runs a command with `--json` that has to succeed and gives its lines.
    @discardableResult
    func json(
        _ arguments: String..., input: String = "", sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> [JSON] {
        let result = try await run(arguments + ["--json"], input: Array(input.utf8))
        #expect(
            result.exitCode == 0, "\(arguments) failed: \(result.errorOutput)", sourceLocation: sourceLocation)
        return try JSON.lines(result.output)
    }

    /// Starts the built program and leaves it running.
    func start(_ arguments: String...) throws -> RunningProgram {
        try RunningProgram(Control.path, arguments, environment: ["GHOSTSTORE_SOCKET": socketPath])
    }

    /// Runs a shell script in which `$CTL` is the built program.
    func shell(_ script: String, input: String = "", environment: [String: String] = [:]) async throws -> ProgramResult
    {
        let variables = ["GHOSTSTORE_SOCKET": socketPath, "CTL": Control.path]
        return try await Program.run(
            "/bin/bash", ["-c", script], input: Array(input.utf8),
            environment: variables.merging(environment) { _, new in new })
    }
}

/// A daemon with an open store, and the program to talk to it.
func withControl<Result>(_ body: (Control, TestDaemon) async throws -> Result) async throws -> Result {
    try await withDaemon { daemon in
        try await body(Control(daemon), daemon)
    }
}

/// A daemon whose store is still to be made, with cheap key derivation.
func withUninitializedControl<Result>(
    _ body: (Control, TestDaemon) async throws -> Result
) async throws -> Result {
    try await withDaemon(.uninitialized) { daemon in
        try await body(Control(daemon), daemon)
    }
}
