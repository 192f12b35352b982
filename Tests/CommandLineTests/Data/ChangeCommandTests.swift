import GhostTestSupport
import Testing

@Suite struct ChangeCommandTests {
    @Test func `changes are listed by revision and forgotten on request`() async throws {
        try await withControl { control, _ in
            try await control.text("messages", "save", "alice", "--id", "m1", "hello")
            try await control.text("messages", "edit", "m1", "hello again")
            let changes = try await control.json("changes", "list", "--all")
            #expect(changes.map { $0["operation"] } == ["created", "created", "updated"])
            #expect(changes.map { $0["revision"]?.integer } == [1, 2, 3])
            #expect(try await control.text("changes", "list", "--after", "2").contains("updated"))
            #expect(
                try await control.json("changes", "compact", "--through", "2").first?["compacted_through_revision"]
                    == 2)
            let compacted = try await control.run("changes", "list", "--after", "0")
            #expect(compacted.exitCode == 65)
            #expect(compacted.errorOutput.contains("CHANGES_COMPACTED"))
            #expect(try await control.json("changes", "list").map { $0["revision"] } == [3])
        }
    }

    @Test func `a watch replays and then follows`() async throws {
        try await withControl { control, _ in
            try await control.text("messages", "save", "alice", "--id", "m1", "hello")
            async let watched = control.json("watch", "--after", "0", "--kind", "message", "--count", "2")
            try await control.text("messages", "save", "bob", "--id", "m2", "hello")
            #expect(try await watched.map { $0["id"] } == ["m1", "m2"])
            let text = try await control.text("watch", "alice", "--after", "0", "--count", "1")
            #expect(text.contains("conversation created"))
        }
    }
}
