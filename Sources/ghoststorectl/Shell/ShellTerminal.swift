import Glibc

/// The terminal of a shell. While a command runs, keys wait unseen for the next line; those that are signals, such as
/// Ctrl-C, are so all the same.
enum ShellTerminal {
    /// Puts the terminal back as it was behind `body`, or when a signal ends or stops the program.
    static func hold<Result>(_ terminal: Int32, _ body: () async throws -> Result) async throws -> Result {
        try await TerminalHold.during(terminal) {
            var settings = termios()
            guard tcgetattr(terminal, &settings) == 0 else { return try await body() }
            var waiting = settings
            waiting.c_lflag &= ~tcflag_t(ICANON | ECHO)
            // Not TCSAFLUSH, here and below: what is typed ahead stays.
            tcsetattr(terminal, TCSADRAIN, &waiting)
            defer { tcsetattr(terminal, TCSADRAIN, &settings) }
            return try await body()
        }
    }
}
