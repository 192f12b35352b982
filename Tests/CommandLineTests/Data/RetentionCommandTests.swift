import GhostTestSupport
import Testing

@Suite struct RetentionCommandTests {
    @Test func `a conversation's retention and a message's timer are set, shown and removed`() async throws {
        try await withControl { control, _ in
            try await control.text("conversations", "create", "alice")
            try await control.text(
                "conversations", "update", "alice", "--expire-after", "7d", "--expire-from", "reading", "--keep-for",
                "4w", "--keep-count", "2")
            var conversation = try #require(try await control.json("conversations", "get", "alice").first)
            #expect(conversation["message_lifetime_milliseconds"] == 604_800_000)
            #expect(conversation["message_lifetime_from"] == "reading")
            #expect(conversation["keep_for_milliseconds"] == 2_419_200_000 && conversation["keep_count"] == 2)
            let shown = try await control.text("conversations", "get", "alice")
            #expect(
                shown.contains("7 d 0 h from reading") && shown.contains("28 d 0 h") && shown.contains("2 messages"))

            try await control.text("messages", "save", "alice", "inherits", "--id", "m1")
            try await control.text("messages", "save", "alice", "kept", "--id", "m2", "--expire-after", "off")
            let exported = try await control.text("messages", "export", "alice")
            #expect(exported.contains("\"lifetime_milliseconds\": 604800000"))
            let inherits = try #require(try await control.json("messages", "get", "m1").first)
            #expect(inherits["lifetime_from"] == "reading" && inherits["expires_at_microseconds"] == nil)
            try await control.text("messages", "mark-read", "m1")
            #expect(try await control.json("messages", "get", "m1").first?["expires_at_microseconds"] != nil)
            #expect(try await control.json("messages", "get", "m2").first?["lifetime_milliseconds"] == nil)
            #expect(try await control.text("messages", "get", "m1").contains("expires"))

            try await control.text(
                "conversations", "update", "alice", "--expire-after", "off", "--keep-for", "off", "--keep-count", "off")
            conversation = try #require(try await control.json("conversations", "get", "alice").first)
            #expect(conversation["message_lifetime_milliseconds"] == nil && conversation["keep_count"] == nil)
        }
    }

    @Test func `an import restores timers and retention`() async throws {
        try await withControl { control, _ in
            try await control.text("conversations", "create", "alice")
            try await control.text("conversations", "update", "alice", "--keep-count", "9")
            try await control.text("messages", "save", "alice", "kept", "--id", "m0")
            try await control.text("messages", "save", "alice", "x", "--id", "m1", "--expire-after", "12h")
            try await control.text("conversations", "update", "alice", "--expire-after", "7d")
            let whole = try await control.text("messages", "export", "--all")
            try await control.text("clear-all-data", "--yes")
            try await control.text("messages", "import", "-", input: whole)
            #expect(try await control.json("conversations", "get", "alice").first?["keep_count"] == 9)
            #expect(try await control.json("messages", "get", "m1").first?["lifetime_milliseconds"] == 43_200_000)
            #expect(try await control.json("messages", "get", "m0").first?["lifetime_milliseconds"] == nil)
        }
    }

    @Test(arguments: [
        ["--expire-after", "0s"], ["--expire-after", "-1h"], ["--keep-for", "7"], ["--keep-for", "forever"],
        ["--keep-count", "0"], ["--expire-after", "7d", "--expire-from", "saving"],
        ["--expire-from", "reading"],
    ])
    func `an invalid time or number is a usage error`(_ options: [String]) async throws {
        try await withControl { control, _ in
            let command = "\"$CTL\" conversations update alice \(options.joined(separator: " "))"
            let result = try await control.shell(command)
            #expect(result.exitCode == 64)
        }
    }
}
