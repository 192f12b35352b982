import GhostTestSupport
import TestBasics
import Testing

/// Text that is typed before a prompt appears becomes the beginning of the shell's next line, but never the answer to a
/// question.
@Suite struct TypingAheadTests {
    @Test func `text that is typed while a command runs is the next line`() async throws {
        try await withShell { shell, control in
            try await shell.line("watch --count 1\r", until: "watching from")
            // The backspace (0x7F) is handled by the terminal, not by the shell.
            try shell.type("contacts savx\u{7F}e bob")
            try await control.text("contacts", "save", "alice")
            try await shell.line("\r", until: "created at")
            #expect(try await control.json("contacts", "list").map { $0["session_id"] } == ["alice", "bob"])
        }
    }

    @Test func `all lines that are typed ahead are run`() async throws {
        try await withShell { shell, control in
            let lines = (0..<20).map { "contacts save c\($0)\r" }
            try await shell.line("watch --count 1\r", until: "watching from")
            try shell.type(lines.joined())
            try await control.text("contacts", "save", "alice")
            try await shell.shows("contacts save c19")
            try shell.type("exit\r")
            #expect(try await shell.wait() == .exited(0))
            #expect(try await control.json("contacts", "list", "--all").count == 21)
        }
    }

    @Test func `text that is typed before a question appears does not answer it`() async throws {
        try await withShell { shell, control in
            try await control.text("messages", "save", "alice", "hello")
            try await shell.line("conversations delete alice\rdelete\r", until: "Type 'delete': ")
            try await shell.type("no\r", until: "nothing was changed")
            #expect(try await control.json("stats").first?["message_count"] == 1)
            try await shell.line("keys add\rwrong one\r", until: "opens the store now: ")
            try await shell.type("\u{03}", until: "interrupted")
            try await shell.line("stats\r", until: "unread")
            #expect(!shell.output.contains("New passphrase"), "\(shell.output)")
        }
    }

    @Test func `Ctrl-C at a question does not end the next command`() async throws {
        try await withShell { shell, _ in
            for _ in 0..<TestTier.count(10, long: 200) {
                try await shell.line("keys add\r", until: "opens the store now: ")
                try await shell.type("\u{03}", until: "interrupted")
                try await shell.line("stats\r", until: "unread")
            }
        }
    }

    @Test func `a pager gets the terminal with its old settings`() async throws {
        let pager = "stty -a < /dev/tty; cat"
        try await withShell(environment: ["GHOSTSTORE_PAGER": pager]) { shell, control in
            try await control.text("contacts", "save", "alice")
            try await shell.line("contacts list\r", until: "alice")
            #expect(shell.output.contains(" icanon ") && shell.output.contains(" echo "), "\(shell.output)")
        }
    }
}
