import FoundationEssentials
import GhostTestSupport
import Testing

/// Runs ghoststorectl against a daemon. Commands run in the test process, which is faster than starting a program.
/// Tests about signals, terminals, pipes or descriptors start the built program.
struct Control: Sendable {
    let socketPath: String

    init(_ daemon: TestDaemon) {
        self.init(socketPath: daemon.socketPath)
    }

    init(socketPath: String) {
        self.socketPath = socketPath
    }

    /// The path of the built program. If it was not built, starting it fails with an error that contains this text.
    static let path = (try? BuiltPrograms.path("ghoststorectl")) ?? "/ghoststorectl is not built"

    /// Runs a command and returns its result, whatever its exit status is.
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

    /// Runs a command that must succeed, and returns its standard output.
    @discardableResult
    func text(
        _ arguments: String..., input: String = "", sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> String {
        let result = try await run(arguments, input: Array(input.utf8))
        #expect(
            result.exitCode == 0, "\(arguments) failed: \(result.errorOutput)", sourceLocation: sourceLocation)
        return result.output
    }

    /// Runs a command with `--json` that must succeed, and returns its lines.
    @discardableResult
    func json(
        _ arguments: String..., input: String = "", sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> [JSON] {
        let result = try await run(arguments + ["--json"], input: Array(input.utf8))
        #expect(
            result.exitCode == 0, "\(arguments) failed: \(result.errorOutput)", sourceLocation: sourceLocation)
        return try JSON.lines(result.output)
    }

    /// Starts the built program without waiting for its end.
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

/// Runs `body` with a daemon whose store is open, and with the program connected to it.
func withControl<Result>(_ body: (Control, TestDaemon) async throws -> Result) async throws -> Result {
    try await withDaemon { daemon in
        try await body(Control(daemon), daemon)
    }
}

/// Runs `body` with a daemon that has no store yet and allows cheap key derivation.
func withUninitializedControl<Result>(
    _ body: (Control, TestDaemon) async throws -> Result
) async throws -> Result {
    try await withDaemon(.uninitialized) { daemon in
        try await body(Control(daemon), daemon)
    }
}
