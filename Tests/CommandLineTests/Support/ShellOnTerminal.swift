import GhostTestSupport

extension Control {
    /// Starts `ghoststorectl shell` for this daemon on a new pseudo-terminal, without pager and colours.
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

/// Runs `body` with a shell on a terminal and a daemon whose store is open.
func withShell(
    _ options: [String] = [], columns: UInt16 = 80, environment: [String: String] = [:],
    _ body: (TerminalProgram, Control) async throws -> Void
) async throws {
    try await withControl { control, _ in
        try await body(try control.shellOnTerminal(options, columns: columns, environment: environment), control)
    }
}
