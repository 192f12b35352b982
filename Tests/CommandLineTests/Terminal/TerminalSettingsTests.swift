import GhostTestSupport
import Glibc
import TestBasics
import Testing

/// Compares all settings of the terminal before and after a command, as stty(1) prints them from tcgetattr(3).
@Suite struct TerminalSettingsTests {
    /// A terminal with a shell that runs the program and prints the settings before and after.
    private struct Terminal {
        let folder: TemporaryDirectory
        let program: TerminalProgram

        /// - Parameter script: a shell script that runs `"$@"`, the program, which first writes its process id to the
        ///   file `id`.
        init(_ script: String, _ control: Control, _ arguments: [String]) throws {
            folder = try TemporaryDirectory()
            let beginning = #"echo $$ > id; exec "$@""#
            program = try TerminalProgram(
                "/bin/bash",
                ["-c", "cd '\(folder.path)'; set -- sh -c '\(beginning)' sh \"$@\"; \(script)", "bash", Control.path]
                    + arguments,
                environment: ["GHOSTSTORE_SOCKET": control.socketPath, "GHOSTSTORE_PAGER": "", "NO_COLOR": "1"])
        }

        func signal(_ number: CInt) throws {
            let id = try #require(pid_t(folder.read("id").filter(\.isNumber)))
            try #require(kill(id, number) == 0)
        }
    }

    private static let observing = #"stty -g > before; "$@"; echo $? > status; stty -g > after"#

    /// Changes the terminal to unusual settings, so that restoring the defaults would be noticed.
    private static let odd = "stty -echoe erase ^H intr ^G quit ^X; " + observing

    private func end(
        _ control: Control, _ script: String = observing, status: Int32, _ ending: (Terminal) async throws -> Void
    ) async throws {
        let terminal = try Terminal(script, control, ["shell"])
        try await terminal.program.line("stats\r", until: "unread")
        try await ending(terminal)
        _ = try await terminal.program.wait()
        let (before, after) = (terminal.folder.read("before"), terminal.folder.read("after"))
        #expect(!before.isEmpty && before == after, "\(terminal.program.output.debugDescription)")
        #expect(terminal.folder.read("status") == "\(status)\n")
    }

    @Test func `the terminal has its old settings after every kind of end of a shell`() async throws {
        try await withControl { control, _ in
            for script in [Self.observing, Self.odd] {
                try await end(control, script, status: 0) { try await $0.program.line("exit\r") }
                try await end(control, script, status: 0) { try await $0.program.line("\u{04}") }
            }
            for number in [SIGTERM, SIGHUP] {
                try await end(control, status: 128 + number) { terminal in
                    try await terminal.program.line("x", until: "x")
                    try terminal.signal(number)
                }
                for (command, shown) in [
                    ("watch", "watching from"), ("top --interval 100ms", "clients "),
                    ("keys add", "opens the store now: "), ("clear-all-data", "Type 'clear all data': "),
                ] {
                    try await end(control, status: 128 + number) { terminal in
                        try await terminal.program.line("\(command)\r", until: shown)
                        try terminal.signal(number)
                    }
                }
            }
        }
    }

    /// Runs the program as a job, and continues it after it was stopped.
    private static let job = """
        set -m; stty -g > before; "$@"; status=$?; stty -g > during; echo stopped $status
        read -r line; fg %1 > /dev/null
        echo ended $?; stty -g > after
        """

    @Test func `Ctrl-Z stops a shell, and the terminal has its old settings meanwhile`() async throws {
        let stopped = "stopped \(128 + SIGTSTP)"
        try await withControl { control, _ in
            for (command, shown, drawn, ending) in [
                ("half a line", "half a line", "", "exit\r"),
                ("top --interval 100ms\r", "clients ", "clients ", "qexit\r"),
                ("keys add\r", "opens the store now: ", "opens the store now: ", "\u{03}"),
                ("clear-all-data\r", "Type 'clear all data': ", "Type 'clear all data': ", "no\r"),
                ("watch\r", "watching from", "contact created", "\u{03}"),
            ] {
                let terminal = try Terminal(Self.job, control, ["shell"])
                try await terminal.program.line(command, until: shown)
                try await terminal.program.type("\u{1A}", until: stopped)
                #expect(terminal.folder.read("during") == terminal.folder.read("before"), "\(command)")
                if command == "watch\r" {
                    try await control.text("contacts", "save", "alice")
                }
                try await terminal.program.type("\n", until: drawn)
                if ending.hasSuffix("exit\r") {
                    try terminal.program.type(ending)
                } else {
                    try await terminal.program.type(ending, until: ending == "no\r" ? "nothing was" : "interrupted")
                    try await terminal.program.line("exit\r")
                }
                _ = try await terminal.program.wait()
                #expect(terminal.program.output.contains("ended 0"), "\(terminal.program.output.debugDescription)")
                #expect(terminal.folder.read("after") == terminal.folder.read("before"), "\(command)")
            }
        }
    }

    @Test func `Ctrl-Z also stops top and prompts outside of a shell`() async throws {
        try await withControl { control, _ in
            for (arguments, shown, ending) in [
                (["top", "--interval", "100ms"], "clients ", "q"),
                (["clear-all-data"], "Type 'clear all data': ", "no\r"),
                (["keys", "add"], "opens the store now: ", "\u{04}"),
            ] {
                let terminal = try Terminal(Self.job, control, arguments)
                try await terminal.program.shows(shown)
                try await terminal.program.type("\u{1A}", until: "stopped")
                #expect(terminal.folder.read("during") == terminal.folder.read("before"), "\(arguments)")
                try await terminal.program.type("\n", until: shown)
                try await terminal.program.type(ending, until: "ended ")
                _ = try await terminal.program.wait()
                #expect(terminal.folder.read("after") == terminal.folder.read("before"), "\(arguments)")
            }
        }
    }
}
