import GhostTestSupport
import TestBasics
import Testing

@Suite struct ConversationCommandTests {
    @Test func `a conversation is created once, and found by its id and its session id`() async throws {
        try await withControl { control, _ in
            let made = try await control.json(
                "conversations", "create", "alice", "--id", "c1", "--display-name", "Alice")
            #expect(made.first?["id"] == "c1")
            #expect(try await control.json("conversations", "create", "alice").first?["id"] == "c1")
            #expect(try await control.text("conversations", "get", "alice").contains("session id     alice"))
            #expect(try await control.json("conversations", "get", "--by-id", "c1").first?["display_name"] == "Alice")
            let missing = try await control.run("conversations", "get", "bob")
            #expect(missing.exitCode == 2)
            #expect(missing.errorOutput.contains("CONVERSATION_NOT_FOUND"))
            #expect(try await control.run("conversations", "get").exitCode == 64)
            #expect(try await control.run("conversations", "get", "alice", "c1").exitCode == 64)
        }
    }

    @Test func `every command accepts an id instead of a session id with --by-id`() async throws {
        try await withControl { control, daemon in
            let file = daemon.directory.file("c1.blob")
            try await control.text("conversations", "create", "alice", "--id", "c1")
            try await control.text("messages", "save", "--by-id", "c1", "--id", "m1", "hello")
            #expect(try await control.json("messages", "list", "c1", "--by-id").first?["id"] == "m1")
            let lines = try JSON.lines(try await control.text("messages", "export", "--by-id", "c1"))
            #expect(lines.map { $0["conversation_session_id"] } == ["alice"])
            let changes = try await control.json("watch", "c1", "--by-id", "--after", "0", "--count", "2")
            #expect(changes.map { $0["id"] } == ["c1", "m1"])
            try await control.text("blobs", "export", "--by-id", "c1", file)
            #expect(try await control.json("blobs", "import", "--by-id", "c1", file).first?["messages"] == 1)
            #expect(try await control.json("conversations", "get", "alice").first?["message_count"] == 2)
            #expect(try await control.run("messages", "list", "c1").exitCode == 2)
            #expect(try await control.run("watch", "--by-id").exitCode == 64)
        }
    }

    @Test func `name, avatar, pin and mute are changed and removed`() async throws {
        try await withControl { control, daemon in
            try await control.text("conversations", "create", "alice")
            let avatar = try daemon.directory.write([0, 1, 2, 255], to: "avatar")
            try await control.text(
                "conversations", "update", "alice", "--display-name", "A", "--avatar-file", avatar, "--pinned",
                "--muted")
            let changed = try await control.json("conversations", "get", "alice", "--avatar").first
            #expect(changed?["display_name"] == "A")
            #expect(changed?["avatar"] == "AAEC/w==")
            #expect(changed?["is_pinned"] == true)
            #expect(changed?["is_muted"] == true)
            try await control.json(
                "conversations", "update", "alice", "--display-name", "", "--remove-avatar", "--no-pinned")
            let removed = try await control.json("conversations", "get", "alice").first
            #expect(removed?["display_name"] == nil)
            #expect(removed?["has_avatar"] == false)
            #expect(removed?["is_pinned"] == false)
            #expect(removed?["is_muted"] == true)
            #expect(try await control.run("conversations", "update", "alice").exitCode == 64)
        }
    }

    @Test func `lists are paged, filtered and sorted with pinned ones first`() async throws {
        try await withControl { control, _ in
            for name in ["a", "b", "c"] {
                try await control.text("messages", "save", name, "--time", "2026-01-01", "from \(name)")
            }
            try await control.text("conversations", "update", "a", "--pinned")
            try await control.text("conversations", "mark-read", "b")
            let all = try await control.json("conversations", "list", "--all")
            #expect(all.map { $0["session_id"] } == ["a", "c", "b"])
            let unread = try await control.json("conversations", "list", "--unread")
            #expect(unread.map { $0["session_id"] } == ["a", "c"])
            #expect(try await control.json("conversations", "list", "--no-pinned").count == 2)
            let page = try await control.run("conversations", "list", "--limit", "1")
            #expect(page.output.contains("from a"))
            let hint = try #require(page.errorOutput.split(separator: "--cursor ").last?.split(separator: ",").first)
            let next = try await control.text("conversations", "list", "--limit", "1", "--cursor", String(hint))
            #expect(next.contains("from c"))
        }
    }

    @Test func `deleting a conversation deletes its messages`() async throws {
        try await withControl { control, _ in
            try await control.text("messages", "save", "alice", "--id", "m1", "hello")
            try await control.text("conversations", "delete", "alice", "--yes")
            #expect(try await control.run("messages", "get", "m1").exitCode == 2)
            #expect(try await control.text("conversations", "list") == "no conversations\n")
            #expect(try await control.run("conversations", "delete", "alice").exitCode == 2)
        }
    }

    @Test func `a member keeps the name or the role that is not given`() async throws {
        try await withControl { control, _ in
            try await control.text("conversations", "create", "team")
            let set = ["conversations", "members", "set", "team", "05bob"]
            for (options, name, role) in [
                (["--name", "Bob", "--role", "admin"], "Bob", "admin"), (["--name", "Bobby"], "Bobby", "admin"),
                (["--role", "owner"], "Bobby", "owner"), ([], "Bobby", "owner"), (["--role", ""], "Bobby", ""),
            ] {
                let result = try await control.run(set + options)
                #expect(result.exitCode == 0, "\(result.errorOutput)")
                let members = try await control.json("conversations", "members", "list", "team")
                #expect(members.map { $0["name"]?.text } == [name] && members.map { $0["role"]?.text } == [role])
            }
        }
    }
}
