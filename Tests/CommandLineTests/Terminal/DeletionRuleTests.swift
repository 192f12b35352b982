import GhostTestSupport
import Testing

/// The rule: a command that deletes more than what its words name asks on the terminal, and without a terminal does
/// nothing unless `--yes` is given.
@Suite(.timeLimit(.minutes(2))) struct DeletionRuleTests {
    private func fill(_ control: Control) async throws {
        for number in 1...5 {
            try await control.text(
                "messages", "save", "alice", "hello \(number)", "--time", "@\(1_700_000_000 + number)")
        }
        try await control.text("files", "put", "-", "document/note", input: "text")
    }

    /// Everything of the store that could go.
    private func counts(_ control: Control) async throws -> [JSON?] {
        let counts = try await control.json("stats").first
        let listed = try await control.json("files", "ls", "document").count
        return [counts?["message_count"], counts?["conversation_count"], .integer(Int64(listed))]
    }

    @Test(arguments: [
        "conversations update alice --keep-count 1", "conversations update alice --keep-for 1d",
        "conversations delete alice", "files rm -r document", "clear-all-data",
    ])
    func `without a terminal and without --yes nothing is deleted`(command: String) async throws {
        try await withControl { control, _ in
            try await fill(control)
            let before = try await counts(control)
            let refused = try await control.shell("setsid -w \"$CTL\" \(command)")
            #expect(refused.exitCode == 64 && refused.errorOutput.contains("hint: --yes"), "\(refused.errorOutput)")
            #expect(try await counts(control) == before)
            let done = try await control.shell("setsid -w \"$CTL\" \(command) --yes")
            #expect(done.exitCode == 0, "\(done.errorOutput)")
            try await eventually("something is gone") { try await counts(control) != before }
        }
    }

    @Test func `a new rule that deletes messages says how many and asks`() async throws {
        try await withControl { control, _ in
            try await fill(control)
            let update = "conversations update alice --keep-count 2"
            let kept = try await control.onTerminal(update, [("Delete 3 messages of alice", "no\\n")])
            #expect(kept.exitCode == 6, "\(kept.output)")
            let tried = try await control.json("conversations", "update", "alice", "--keep-count", "2", "--dry-run")
            #expect(tried.first?["deleted_count"] == 3 && tried.first?["dry_run"] == true)
            let text = try await control.text("conversations", "update", "alice", "--keep-for", "1d", "--dry-run")
            #expect(text == "would delete 5 messages\n")
            #expect(try await counts(control).first == 5)
            // Nothing is to be asked where nothing goes.
            try await control.text("conversations", "update", "alice", "--keep-count", "5", "--muted")
            let done = try await control.onTerminal(update, [("Delete 3 messages of alice", "delete\\n")])
            #expect(done.exitCode == 0, "\(done.output)")
            try await eventually("the messages are gone") { try await counts(control).first == 2 }
        }
    }

    /// A file of conversations is no command to delete what is in the store.
    @Test(arguments: [#""keep_count": 2"#, #""keep_for_milliseconds": 1000"#])
    func `an import whose conversations delete existing messages needs --yes`(rule: String) async throws {
        try await withControl { control, _ in
            try await fill(control)
            let line = #"{"kind": "conversation", "session_id": "alice", "is_muted": true, \#(rule)}"#
            let refused = try await control.run("messages", "import", "-", input: "\n" + line)
            #expect(refused.exitCode == 64, "\(refused.errorOutput)")
            #expect(refused.errorOutput.contains("line 2: ") && refused.errorOutput.contains("import with --yes"))
            let kept = try await control.json("conversations", "get", "alice").first
            #expect(kept?["message_count"] == 5 && kept?["is_muted"] == false)
            try await control.text("messages", "import", "-", "--yes", input: line)
            try await eventually("messages are gone") {
                try await control.json("stats").first?["message_count"] != 5
            }
            // The same rule again deletes nothing more, and one that deletes nothing is no question.
            try await control.text("messages", "import", "-", input: line)
            try await control.text(
                "messages", "import", "-", input: line.replacing("alice", with: "bob"))
        }
    }
}
