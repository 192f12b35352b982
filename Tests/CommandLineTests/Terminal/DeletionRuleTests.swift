import GhostTestSupport
import TestBasics
import Testing

/// The rule for deletions: a command that deletes more than the objects in its arguments asks for a confirmation on the
/// terminal. Without a terminal it does nothing unless `--yes` is given.
@Suite(.timeLimit(.minutes(2))) struct DeletionRuleTests {
    private func fill(_ control: Control) async throws {
        for number in 1...5 {
            try await control.text(
                "messages", "save", "alice", "hello \(number)", "--time", "@\(1_700_000_000 + number)")
        }
        try await control.text("files", "put", "-", "document/note", input: "text")
    }

    /// Returns the counts of everything that a command could delete.
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
            #expect(
                refused.exitCode == 64 && refused.errorOutput.contains("hint: with --yes"),
                "\(refused.errorOutput)")
            #expect(try await counts(control) == before)
            let done = try await control.shell("setsid -w \"$CTL\" \(command) --yes")
            #expect(done.exitCode == 0, "\(done.errorOutput)")
            if command.hasPrefix("conversations update") {
                #expect(done.output.contains("; deletes ") && done.output.contains(" message"), "\(done.output)")
            }
            try await eventually("something is gone") { try await counts(control) != before }
        }
    }

    @Test func `joining with a store that has data asks, and shows what may be deleted`() async throws {
        try await withControl { first, _ in
            try await first.text("replication", "create", "--name", "desk")
            try await withControl { control, daemon in
                try await fill(control)
                let code = try daemon.directory.write(try await first.text("replication", "invite"), to: "code")
                let join = "replication join --name lap --code-file \(code)"
                let refused = try await control.shell("setsid -w \"$CTL\" \(join)")
                #expect(
                    refused.exitCode == 64 && refused.errorOutput.contains("hint: with --yes"),
                    "\(refused.errorOutput)")
                let question = "This store has 5 messages, 1 conversation"
                let declined = try await control.onTerminal(join, [(question, "no\\n")])
                #expect(declined.exitCode == 6, "\(declined.output)")
                let status = try await control.run("replication", "status")
                #expect(status.errorOutput.contains("REPLICA_GROUP_ABSENT"))
                let done = try await control.onTerminal(join, [(question, "join\\n")])
                #expect(done.exitCode == 0, "\(done.output)")
                #expect(try await control.json("replication", "status").first?["state"] == "joining")
            }
        }
    }

    private static func conversation(_ rule: String) -> String {
        #"{"kind": "conversation", "session_id": "alice", "display_name": "Alice", "is_pinned": true, \#(rule)}"#
    }

    private static func message(_ text: String) -> String {
        #"{"conversation_session_id": "alice", "text": "\#(text)", "timestamp_microseconds": 4000000000000000}"#
    }

    @Test(arguments: [
        (#""keep_count": 2"#, 5), (#""keep_for_milliseconds": 86400000"#, 5), (#""keep_count": 5"#, 2),
    ])
    func `an import whose rules delete messages fails without a terminal and --yes`(
        rule: String, deletedCount: Int64
    ) async throws {
        try await withControl { control, daemon in
            try await fill(control)
            // The messages are imported after their conversation. If the conversation keeps five messages, the imported
            // messages displace older ones.
            let lines = [Self.conversation(rule), Self.message("new"), Self.message("newer")]
            let file = try daemon.directory.write(Array(lines.joined(separator: "\n").utf8), to: "lines")
            let command = "setsid -w \"$CTL\" messages import \(file)"
            for _ in 0..<2 {
                let refused = try await control.shell(command)
                #expect(
                    refused.exitCode == 64 && refused.errorOutput.contains("hint: with --yes"),
                    "\(refused.errorOutput)")
                #expect(refused.errorOutput.contains("imported 2 messages"), "\(refused.errorOutput)")
                let stored = try await control.json("conversations", "get", "alice").first
                #expect(stored?["message_count"] == 7 && stored?["is_pinned"] == true)
                #expect(stored?["keep_count"] == nil && stored?["keep_for_milliseconds"] == nil)
            }
            let done = try await control.shell(command + " --yes --json")
            #expect(done.exitCode == 0, "\(done.errorOutput)")
            let told = try JSON.lines(done.output).first?["deleted_messages"]
            #expect(told == JSON.integer(deletedCount))
            try await eventually("they are gone") {
                try await counts(control).first == JSON.integer(7 - deletedCount)
            }
            // The store already has the rule, so the command does not ask again.
            let again = try await control.shell(command)
            #expect(again.exitCode == 0, "\(again.errorOutput)")
        }
    }

    @Test func `an import asks once, with the number of messages and of conversations`() async throws {
        try await withControl { control, daemon in
            try await fill(control)
            try await control.text("messages", "save", "bob", "old", "--time", "@1700000000")
            try await control.text("messages", "save", "carol", "kept", "--time", "@1700000000")
            let others = [("bob", 86_400_000), ("carol", 1_000_000_000_000)].map {
                #"{"kind": "conversation", "session_id": "\#($0.0)", "keep_for_milliseconds": \#($0.1)}"#
            }
            let lines = [Self.conversation(#""keep_count": 9"#), Self.conversation(#""keep_count": 2"#)] + others
            let file = try daemon.directory.write(Array(lines.joined(separator: "\n").utf8), to: "lines")
            let question = "deletes 4 messages now"
            let declined = try await control.onTerminal(
                "messages import \(file)", columns: 400, [(question, "no\\n")])
            #expect(declined.exitCode == 6 && declined.output.contains("not confirmed; imported"), "\(declined.output)")
            #expect(!declined.output.contains("nothing was changed"), "\(declined.output)")
            #expect(try await counts(control).first == 7)
            let done = try await control.onTerminal(
                "messages import \(file)", columns: 400, [(question, "delete\\n")])
            #expect(done.exitCode == 0 && done.output.contains("of 2 conversations"), "\(done.output)")
            try await eventually("the messages are gone") { try await counts(control).first == 3 }
            let kept = try await control.json("conversations", "get", "carol").first
            #expect(kept?["keep_for_milliseconds"] == 1_000_000_000_000)
        }
    }

    @Test func `a new rule that deletes messages asks, and shows how many`() async throws {
        try await withControl { control, _ in
            try await fill(control)
            let update = "conversations update alice --keep-count 2"
            let kept = try await control.onTerminal(update, [("deletes 3 messages of alice", "no\\n")])
            #expect(kept.exitCode == 6, "\(kept.output)")
            let tried = try await control.json("conversations", "update", "alice", "--keep-count", "2", "--dry-run")
            #expect(tried.first?["deleted_count"] == 3 && tried.first?["dry_run"] == true)
            let text = try await control.text("conversations", "update", "alice", "--keep-for", "1d", "--dry-run")
            #expect(text == "would delete 5 messages\n")
            #expect(try await counts(control).first == 5)
            // A change that deletes nothing needs no confirmation.
            try await control.text("conversations", "update", "alice", "--keep-count", "5", "--muted")
            let done = try await control.onTerminal(update, [("deletes 3 messages of alice", "delete\\n")])
            #expect(done.exitCode == 0, "\(done.output)")
            try await eventually("the messages are gone") { try await counts(control).first == 2 }
        }
    }
}
