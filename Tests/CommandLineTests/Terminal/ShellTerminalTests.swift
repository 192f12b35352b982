import GhostTestSupport
import Glibc
import TestBasics
import Testing

/// `shell` with a person at a terminal.
@Suite struct ShellTerminalTests {
    @Test func `Ctrl-C discards a line, and Ctrl-D ends the shell`() async throws {
        try await withShell { shell, _ in
            // The backspace (0x7F) is handled by the terminal, not by the shell.
            try await shell.line("contacts save bobx\u{7F}\u{03}", until: "^C\r\n")
            try await shell.line("stats\r", until: "compacted through  0")
            // Ctrl-D sends the beginning of the line to the shell. Ctrl-C discards this beginning together with the
            // rest of the line.
            try await shell.line("contacts save bob\u{04}")
            try await shell.line("by\u{03}", until: "^C\r\n")
            try await shell.line("contacts list -q\r", until: "\r\nghoststore> ")
            try await shell.line("\u{04}")
            #expect(try await shell.wait() == .exited(0))
            #expect(!shell.output.contains("created at"), "\(shell.output)")
        }
    }

    @Test func `Ctrl-C ends the running command and not the shell`() async throws {
        try await withShell { shell, control in
            try await shell.line("watch\r", until: "watching from")
            try await shell.type("\u{03}", until: "interrupted")
            try await shell.line("top --interval 100ms\r", until: "clients ")
            try await shell.type("\u{03}", until: "interrupted")
            try await shell.line("clear-all-data\r", until: "Type 'clear all data': ")
            try await shell.type("\u{03}", until: "interrupted")
            try await shell.line("keys add\r", until: "opens the store now: ")
            try await shell.type("\u{03}", until: "interrupted")
            // After the interrupted prompts, typed text is echoed again.
            try await shell.line("stats\r", until: "stats")
            try await shell.shows("unread")
            try await shell.line("contacts save bob\r", until: "created at")
            #expect(try await control.json("contacts", "list").count == 1)
        }
    }

    @Test func `a passphrase that is typed at a prompt is not shown`() async throws {
        try await withShell { shell, _ in
            try await shell.line("keys add\r", until: "opens the store now: ")
            try await shell.type("wrong one\r", until: "New passphrase: ")
            try await shell.type("\u{03}", until: "interrupted")
            try await shell.line("stats\r", until: "unread")
            #expect(!shell.output.contains("wrong one"))
        }
    }

    /// The second paste is longer than the terminal's buffer, so the shell receives it in several parts.
    @Test func `the lines of a paste are run as commands until one fails`() async throws {
        try await withShell { shell, control in
            let failed = "hint: ghoststorectl help\r\nghoststore> "
            try await shell.line("contacts save a\rcontacts\tsave b\rnone\rcontacts save c\r", until: failed)
            #expect(try await control.json("contacts", "list").map { $0["session_id"] } == ["a", "b"])
            let lines = String(repeating: "contacts save d\r", count: 1_000)
            try await shell.line("none\r" + lines, until: "hint: ghoststorectl help")
            try await shell.line("stats\r", until: "unread")
            #expect(try await control.json("contacts", "list").count == 2)
        }
    }
}
