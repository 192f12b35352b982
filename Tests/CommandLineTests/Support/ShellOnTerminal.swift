import GhostTestSupport

extension Control {
    /// Starts a shell at a terminal.
    func shellOnTerminal(
        _ options: [String] = [], columns: UInt16 = 80, environment: [String: String] = [:]
    ) throws -> TerminalProgram {
        try TerminalProgram(
            Control.path, ["shell"] + options, columns: columns,
            environment: ["GHOSTSTORE_SOCKET": socketPath, "GHOSTSTORE_PAGER": "", "NO_COLOR": "1"].merging(environment)
            { _, new in new
            })
    }
}

/// A shell where a person sits at a terminal, and a daemon with an open store.
func withShell(
    _ options: [String] = [], columns: UInt16 = 80, environment: [String: String] = [:],
    _ body: (TerminalProgram, Control) async throws -> Void
) async throws {
    try await withControl { control, _ in
        try await body(try control.shellOnTerminal(options, columns: columns, environment: environment), control)
    }
}
