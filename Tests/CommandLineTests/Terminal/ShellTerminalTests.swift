import GhostTestSupport
import Glibc
import TestBasics
import Testing

/// `shell` with a person at a terminal.
@Suite struct ShellTerminalTests {
    @Test func `a line is edited with the keys of a terminal`() async throws {
        try await withShell { shell, control in
            // The keys correct a typing error, insert a word in front, cut a word and paste it, and include unknown
            // escape sequences.
            try await shell.line("save bobx\u{7F}\u{01}contacts \u{1B}[99;9~\u{1B}[24~\u{1B}x\r", until: "created at")
            try await shell.line("get bob contacts \u{17}\u{01}\u{19}\u{1B}[F\u{1B}[D\u{1B}[C\r", until: "session id")
            try await shell.line(
                "ghoststorectl contacts gte bob\u{1B}[1;5D\u{1B}b\u{1B}[C\u{1B}[3~\u{1B}[Ct\r", until: "session id")
            #expect(try await control.json("contacts", "list").count == 1)
        }
    }

    @Test func `an interrupt ends a line, Ctrl-D the shell`() async throws {
        try await withShell { shell, _ in
            try await shell.line("contacts save bob\u{03}", until: "^C\r\n")
            try await shell.line("stats\r", until: "compacted through  0")
            try await shell.line("\u{04}")
            #expect(try await shell.wait() == .exited(0))
            #expect(shell.output.hasSuffix("\u{1B}[?2004l"))
        }
    }

    @Test func `arrows bring lines back`() async throws {
        try await withShell { shell, _ in
            try await shell.line("stats\r", until: "unread")
            try await shell.line("contacts list\r", until: "no contacts")
            try await shell.line("half\u{1B}[A", until: "> contacts list")
            try await shell.line("\u{1B}[A", until: "> stats")
            try await shell.line("\u{1B}[B\u{1B}OB", until: "> half")
            try await shell.line("\u{15}\u{10}\r", until: "no contacts")
        }
    }

    @Test func `Tab completes commands, options, values, files and names`() async throws {
        try await withShell { shell, control in
            try await control.text("contacts", "save", "alice")
            try await control.text("messages", "save", "alice", "--id", "m1", "hi")
            let folder = try TemporaryDirectory()
            _ = try folder.write([], to: "two words.txt")
            let steps: [(typed: String, shown: String)] = [
                ("conv\t", "> conversations "), ("g\t", "> conversations get "), ("a\t", "> conversations get alice "),
                ("--js\t", "alice --json "), ("--format c\t", "--format csv "),
                ("\u{15}messages status \t\t", "delivered"),
                ("\u{15}messages status m1 se\t", "m1 sent "),
                ("\u{15}contacts list --columns d\t", "--columns display_name "),
                ("\u{7F},no\t", "display_name,notes "),
                ("\u{15}messages import \(folder.path)/tw\t", "/two\\ words.txt "),
                ("\u{15}messages import \"\(folder.path)/tw\t", "/two words.txt\" "), ("\u{15}help con\t", "con"),
                ("\u{15}messages import \(folder.path)/it\t", #"/it\'s\ \"$HOME\" "#),
                ("\u{15}messages import \(folder.path)/n\t", "/new'␊'line "),
                ("\u{15}--socket \(control.socketPath.prefix(4))\t", "--socket "), ("\u{15}x\t", "> x"),
                ("\u{15}\t\t", "archive attachments"),
            ]
            for name in ["it's \"$HOME\"", "new\nline"] {
                _ = try folder.write(Array(name.utf8), to: name)
            }
            for (typed, answer) in steps {
                try await shell.line(typed, until: answer)
            }
        }
    }

    @Test func `an interrupt ends what goes on and not the shell`() async throws {
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
            try await shell.line("stats\r", until: "> stats")
            try await shell.shows("unread")
            try await shell.line("contacts save bob\r", until: "created at")
            #expect(try await control.json("contacts", "list").count == 1)
        }
    }

    @Test func `a passphrase that is asked for is not shown and in no history`() async throws {
        try await withShell { shell, _ in
            try await shell.line("keys add\r", until: "opens the store now: ")
            try await shell.type("wrong one\r", until: "New passphrase: ")
            try await shell.type("\u{03}", until: "interrupted")
            try await shell.line("\u{1B}[A", until: "> keys add")
            try await shell.line("\u{1B}[A\u{1B}[A\u{0C}", until: "\u{1B}[2J")
            #expect(!shell.output.contains("wrong one"))
        }
    }

    @Test func `wide characters, marks and long lines stay within the window, whatever its size`() async throws {
        try await withShell(columns: 30) { shell, control in
            try await shell.line("contacts save 会議 --notes 'e\u{301}", until: "--notes 'e\u{301}")
            // Deleting a letter also deletes its combining mark.
            try await shell.line("\u{7F}\u{7F}'👩‍👩‍👧 und so weiter, noch viel länger'", until: "…")
            for drawn in shell.output.split(separator: "\r").filter({ $0.hasPrefix("\u{1B}[J> ") }) {
                #expect(drawn.count < 34, "\(drawn)")
            }
            shell.resize(columns: 120)
            try await shell.shows("> contacts save 会議 --notes '👩‍👩‍👧 und so weiter, noch viel länger'")
            shell.resize(columns: 50)
            try await shell.line("\r", until: "created at")
            let contact = try #require(try await control.json("contacts", "get", "会議").first)
            #expect(contact["notes"] == "👩‍👩‍👧 und so weiter, noch viel länger")
        }
    }

    @Test func `what is pasted waits for Return, and its lines are commands until one fails`() async throws {
        try await withShell { shell, control in
            try await shell.line(
                "\u{1B}[200~contacts save a\rcontacts\tsave b\r\nnone\u{07}\ncontacts save c\u{1B}[201~",
                until: "save c")
            #expect(try await control.json("contacts", "list").isEmpty)
            try await shell.line("\r", until: "unknown command 'none'")
            #expect(try await control.json("contacts", "list").map { $0["session_id"] } == ["a", "b"])
            try await shell.line("stats\r", until: "unread")
        }
    }

    @Test func `of a paste that is too long nothing is taken, and the line stays`() async throws {
        try await withShell { shell, control in
            let commands = String(repeating: "x", count: 1 << 20) + "\ncontacts save bob\n"
            try await shell.line(
                "contacts save alice \u{1B}[200~\(commands)\u{1B}[201~", until: "the pasted text is longer than")
            try await shell.line("\r", until: "created at")
            #expect(try await control.json("contacts", "list").map { $0["session_id"] } == ["alice"])
        }
    }

    /// Return is the last key of the pasted command, and is not read together with the paste.
    @Test func `what is typed behind a paste and its Return is the next line`() async throws {
        try await withShell { shell, control in
            try await shell.line("\u{1B}[200~contacts save alice\u{1B}[201~\rcontacts save bob\r", until: "created at")
            try await shell.line("contacts list -q\r", until: "\r\nbob")
            #expect(try await control.json("contacts", "list").count == 2)
        }
    }
}
