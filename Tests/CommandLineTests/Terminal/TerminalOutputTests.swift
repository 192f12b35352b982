import GhostTestSupport
import Glibc
import TestBasics
import Testing

@Suite struct TerminalOutputTests {
    private static let escape = "\u{1B}"

    @Test func `tables are cut to the width of the terminal, and wide characters count as two`() async throws {
        try await withControl { control, _ in
            let long = String(repeating: "漢字", count: 60)
            try await control.text("messages", "save", "alice", "--id", "m1", long)
            let output = try await control.onTerminal("messages list alice", environment: ["NO_COLOR": "1"])
            let row = try #require(output.split(whereSeparator: \.isNewline).first { $0.contains("漢") })
            #expect(row.contains("…"))
            let wide = row.unicodeScalars.count { $0 == "漢" || $0 == "字" }
            let narrow = row.unicodeScalars.count - wide
            #expect((78...80).contains(narrow + 2 * wide))
            // Without a terminal, no text is shortened.
            #expect(try await control.text("messages", "list", "alice").contains(long))
        }
    }

    @Test func `colours are used only on terminals and without NO_COLOR`() async throws {
        try await withControl { control, _ in
            try await control.text("messages", "save", "alice", "hello")
            #expect(try await control.onTerminal("messages list alice").contains(Self.escape + "[1m"))
            let plain = try await control.onTerminal("messages list alice", environment: ["NO_COLOR": "1"])
            #expect(!plain.contains(Self.escape))
            let dumb = try await control.onTerminal("messages list alice", environment: ["TERM": "dumb"])
            #expect(!dumb.contains(Self.escape))
            #expect(!(try await control.text("messages", "list", "alice")).contains(Self.escape))
        }
    }

    @Test func `stored control characters are not written to a terminal`() async throws {
        try await withControl { control, _ in
            let hostile = "\u{1B}]0;owned\u{07}\u{9B}2J\u{202E}evil\r\u{7F}"
            try await control.text("conversations", "create", hostile + "s", "--display-name", hostile)
            try await control.text("messages", "save", hostile + "s", "--id", "m1", "-", input: hostile)
            try await control.text("contacts", "save", hostile + "k", "--display-name", hostile, "--notes", hostile)
            let outputs = [
                try await control.text("conversations", "list"), try await control.text("messages", "get", "m1"),
                try await control.text("messages", "list", hostile + "s"), try await control.text("contacts", "list"),
                try await control.text("conversations", "get", hostile + "s"),
                try await control.text("contacts", "get", hostile + "k"),
                try await control.text("messages", "list", hostile + "s", "--json"),
                try await control.run("conversations", "get", hostile + "unknown").errorOutput,
            ]
            for output in outputs {
                #expect(
                    !output.unicodeScalars.contains { scalar in
                        (scalar.value < 0x20 && scalar != "\n") || (0x7F...0x9F).contains(scalar.value)
                    })
            }
            #expect(outputs[1].contains("␛]0;owned␇"))
        }
    }

    @Test func `the progress of long work shows the rate and the remaining time`() async throws {
        try await withControl { control, daemon in
            let lines = (0..<12_000).map { #"{"id": "m\#($0)", "text": "t", "conversation_session_id": "s"}"# }
            let file = try daemon.directory.write(Array(lines.joined(separator: "\n").utf8), to: "lines")
            let process = try #require(daemon.child)
            // After the first progress message, the daemon is paused (SIGSTOP) for a time in which the program shows
            // the rate and the remaining time.
            let shown = try await control.shell(
                """
                cd '\(daemon.directory.path)'
                script -qefc 'stty cols 120; "$CTL" messages import \(file)' /dev/null < /dev/null > out & terminal=$!
                until grep -q 'importing  \\[' out; do sleep 0.01; done
                kill -STOP \(process.id); sleep 0.7; kill -CONT \(process.id)
                wait $terminal; cat out
                """)
            process.signal(SIGCONT)
            #expect(shown.output.contains("iB/s  ") && shown.output.contains(" s left"), "\(shown)")
        }
    }

    @Test func `progress is shown only to people and can be turned off`() async throws {
        try await withControl { control, _ in
            let sample = "\(BuiltPrograms.packageDirectory)/Tests/Fixtures/dialogs-sample.jsonl"
            let shown = try await control.onTerminal("messages import \(sample)")
            #expect(shown.contains("importing  ["))
            let silent = try await control.onTerminal("messages import \(sample) --no-progress")
            #expect(!silent.contains("importing  ["))
            #expect(try await control.run("messages", "import", sample).errorOutput.isEmpty)
        }
    }
}
