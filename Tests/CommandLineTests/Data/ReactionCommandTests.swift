import GhostTestSupport
import Testing

@Suite struct ReactionCommandTests {
    @Test func `reactions are added, shown with the message, listed and removed`() async throws {
        try await withControl { control, _ in
            try await control.text("messages", "save", "alice", "--id", "m1", "hello")
            for author in ["bob", "carl"] {
                try await control.text("messages", "react", "m1", "👍", "--by", author)
            }
            let again = try await control.json("messages", "react", "m1", "👍", "--by", "bob")
            #expect(again.first?["created_count"] == 0)
            let message = try await control.json("messages", "get", "m1").first
            #expect(message?["reactions"] == .array([.object(["emoji": "👍", "count": 2])]))
            #expect(try await control.text("messages", "get", "m1").contains("👍 2"))
            let list = try await control.json("messages", "reactions", "m1")
            #expect(list.map { $0["author_session_id"] } == ["bob", "carl"])
            #expect(try await control.text("messages", "reactions", "m1").contains("carl"))
            let removed = try await control.json("messages", "unreact", "m1", "👍", "--by", "bob")
            #expect(removed.first?["deleted_count"] == 1)
            #expect(try await control.run("messages", "react", "m1", "ab", "--by", "bob").exitCode == 65)
            #expect(try await control.run("messages", "react", "m2", "👍", "--by", "bob").exitCode == 2)
        }
    }
}
