import FoundationEssentials
import GhostTestSupport
import Testing

/// Runs the built ghoststorectl against a daemon.
struct Control: Sendable {
    let socketPath: String

    init(_ daemon: TestDaemon) {
        socketPath = daemon.socketPath
    }

    /// Starting it fails with this name when it was not built.
    static let path = (try? BuiltPrograms.path("ghoststorectl")) ?? "/ghoststorectl is not built"

    /// Runs a command and gives what it left, whatever its status.
    func run(
        _ arguments: String..., input: String = "", environment: [String: String] = [:]
    ) async throws -> ProgramResult {
        try await Program.run(
            Control.path, arguments, input: Array(input.utf8),
            environment: ["GHOSTSTORE_SOCKET": socketPath].merging(environment) { _, new in new })
    }

    /// Runs a command that has to succeed and gives its standard output.
    @discardableResult
    func text(
        _ arguments: String..., input: String = "", sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> String {
        let result = try await Program.run(
            Control.path, arguments, input: Array(input.utf8), environment: ["GHOSTSTORE_SOCKET": socketPath])
        #expect(
            result.exitCode == 0, "\(arguments) failed: \(result.errorOutput)", sourceLocation: sourceLocation)
        return result.output
    }

    /// Runs a command with `--json` that has to succeed and gives its lines.
    @discardableResult
    func json(
        _ arguments: String..., input: String = "", sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> [JSON] {
        let result = try await Program.run(
            Control.path, arguments + ["--json"], input: Array(input.utf8),
            environment: ["GHOSTSTORE_SOCKET": socketPath])
        #expect(
            result.exitCode == 0, "\(arguments) failed: \(result.errorOutput)", sourceLocation: sourceLocation)
        return try JSON.lines(result.output)
    }

    /// Starts a command and leaves it running.
    func start(_ arguments: String...) throws -> RunningProgram {
        try RunningProgram(Control.path, arguments, environment: ["GHOSTSTORE_SOCKET": socketPath])
    }

    /// Runs a shell script in which `$CTL` is the program.
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
