import GhostTestSupport
import Testing

@Suite struct DraftCommandTests {
    @Test func `a draft is saved, shown, listed and deleted, and a missing draft has exit status 2`() async throws {
        try await withControl { control, _ in
            let saved = try await control.json("drafts", "save", "alice", "-", input: "line one\nline two")
            #expect(saved.first?["created_count"] == 1)
            let draft = try #require(try await control.json("drafts", "show", "alice").first)
            #expect(draft["text"] == "line one\nline two")
            #expect(try await control.text("drafts", "show", "alice").contains("line two"))
            try await control.text("drafts", "save", "bob", "--reply-to", "m0", "")
            let list = try await control.json("drafts", "list")
            #expect(list.map { $0["reply_to_message_id"] } == ["m0", nil])
            #expect(try await control.json("drafts", "list", "--limit", "1").count == 1)
            let id = try #require(list.last?["conversation_id"]?.text)
            let named = try await control.json("drafts", "show", "--by-id", id)
            #expect(named.first?["text"] == "line one\nline two")
            try await control.text("drafts", "save", "--by-id", id, "again")
            #expect(try await control.json("drafts", "show", "alice").first?["text"] == "again")
            try await control.text("messages", "save", "alice", "--clear-draft", "sent")
            let missing = try await control.run("drafts", "show", "alice")
            #expect(missing.exitCode == 2)
            #expect(missing.errorOutput.contains("has no draft"))
            #expect(try await control.json("drafts", "delete", "bob").first?["deleted_count"] == 1)
            #expect(try await control.text("drafts", "list").contains("no drafts"))
            #expect(try await control.run("drafts", "delete", "carl").exitCode == 2)
        }
    }
}
