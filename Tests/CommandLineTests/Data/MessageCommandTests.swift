import GhostTestSupport
import Testing

@Suite struct MessageCommandTests {
    @Test func `every field of a saved message is shown`() async throws {
        try await withControl { control, _ in
            let saved = try await control.json(
                "messages", "save", "alice", "--id", "m1", "--sender", "me", "--recipient", "alice",
                "--time", "2026-01-02T03:04:05.000006Z", "--status", "sent", "--outgoing", "--read",
                "--attachment-url", "https://example.org/a", "--attachment-type", "image/png", "--reply-to", "m0",
                "-", input: "line one\nline two")
            #expect(saved.first?["ids"] == .array(["m1"]))
            #expect(saved.first?["created_count"] == 1)
            let message = try #require(try await control.json("messages", "get", "m1").first)
            #expect(message["text"] == "line one\nline two")
            #expect(message["sender_session_id"] == "me")
            #expect(message["recipient_session_id"] == "alice")
            #expect(message["timestamp_microseconds"] == 1_767_323_045_000_006)
            #expect(message["status"] == "sent")
            #expect(message["is_outgoing"] == true)
            #expect(message["is_read"] == true)
            #expect(message["attachment_url"] == "https://example.org/a")
            #expect(message["attachment_type"] == "image/png")
            #expect(message["reply_to_message_id"] == "m0")
            #expect(message["message_kind"] == nil && message["sender_name"] == nil && message["metadata"] == nil)
            #expect(try await control.text("messages", "get", "m1").contains("2026-01-02T03:04:05.000006Z"))
        }
    }

    @Test func `kind, sender's name and metadata are saved, shown, exported and imported`() async throws {
        try await withControl { control, _ in
            try await control.text(
                "messages", "save", "alice", "hello", "--id", "m1", "--kind", "notice", "--sender-name", "Älice then",
                "--metadata", "-", "--metadata-type", "application/json", input: "{\"a\": 1}")
            let message = try #require(try await control.json("messages", "get", "m1").first)
            #expect(message["message_kind"] == "notice")
            #expect(message["sender_name"] == "Älice then")
            #expect(message["metadata"] == "eyJhIjogMX0=")
            #expect(message["metadata_type"] == "application/json")
            let shown = try await control.text("messages", "get", "m1")
            #expect(shown.contains("notice") && shown.contains("8 B, application/json"))
            #expect(try await control.text("messages", "list", "alice", "--columns", "kind,text").contains("notice"))
            try await control.text("messages", "save", "alice", "another", "--id", "m2")
            let expected: [(String, [JSON?])] = [("notice", ["m1"]), ("", ["m2"]), ("call", [])]
            for (kind, ids) in expected {
                #expect(try await control.json("messages", "list", "alice", "--kind", kind).map { $0["id"] } == ids)
            }
            let changes = try await control.json("changes", "list", "--kind-name", "notice")
            #expect(changes.map { $0["id"] } == ["m1"] && changes.first?["kind_name"] == "notice")
            try await control.text("messages", "delete", "m2")
            let export = try await control.text("messages", "export", "alice")
            try await control.text("messages", "delete", "m1")
            try await control.text("messages", "import", "-", input: export)
            #expect(try await control.text("messages", "export", "alice") == export)
            let both = try await control.run("messages", "save", "alice", "-", "--metadata", "-", input: "x")
            #expect(both.exitCode == 64)
            let lone = try await control.run("messages", "save", "alice", "x", "--metadata-type", "a/b")
            #expect(lone.exitCode == 64)
        }
    }

    @Test func `edit, status, mark-read and delete change a message`() async throws {
        try await withControl { control, _ in
            try await control.text("messages", "save", "alice", "--id", "m1", "--", "-x-")
            try await control.text("messages", "edit", "m1", "edited", "--time", "@1700000000000000us")
            try await control.text("messages", "status", "failed", "m1")
            try await control.json("messages", "mark-read", "m1")
            let message = try #require(try await control.json("messages", "get", "m1").first)
            #expect(message["text"] == "edited")
            #expect(message["edited_at_microseconds"] == 1_700_000_000_000_000)
            #expect(message["status"] == "failed")
            #expect(message["is_read"] == true)
            #expect(try await control.run("messages", "status", "lost", "m1").exitCode == 64)
            #expect(try await control.run("messages", "delete", "m1", "m2").exitCode == 2)
            try await control.text("messages", "delete", "m1")
            #expect(try await control.run("messages", "get", "m1").exitCode == 2)
        }
    }

    @Test func `lists are ordered, paged and filtered`() async throws {
        try await withControl { control, _ in
            for day in 1...5 {
                var arguments = ["messages", "save", "alice", "--id", "m\(day)"]
                arguments += ["--time", "2026-01-0\(day)", "day \(day)"] + (day % 2 == 0 ? ["--outgoing"] : [])
                let saved = try await control.run(arguments)
                #expect(saved.exitCode == 0)
            }
            func ids(_ options: String...) async throws -> [JSON?] {
                let result = try await control.run(["messages", "list", "alice", "--json"] + options)
                return try JSON.lines(result.output).map { $0["id"] }
            }
            #expect(try await ids() == ["m5", "m4", "m3", "m2", "m1"])
            #expect(try await ids("--oldest-first", "--limit", "2") == ["m1", "m2"])
            #expect(try await ids("--outgoing") == ["m4", "m2"])
            #expect(try await ids("--incoming", "--from", "2026-01-02", "--until", "2026-01-05T00:00:00Z") == ["m3"])
            #expect(try await ids("--attachment").isEmpty)
            #expect(try await ids("--unread", "--status", "pending").count == 5)
            let page = try await control.run("messages", "list", "alice", "--limit", "2")
            let cursor = try #require(page.errorOutput.split(separator: "--before ").last?.split(separator: ",").first)
            #expect(try await ids("--limit", "2", "--before", String(cursor)) == ["m3", "m2"])
        }
    }

    @Test func `without a conversation, the messages of all are listed`() async throws {
        try await withControl { control, _ in
            for (day, session) in [(1, "alice"), (2, "bob"), (3, "alice"), (4, "carl")] {
                try await control.text(
                    "messages", "save", session, "--id", "m\(day)", "--time", "2026-01-0\(day)", "day \(day)")
            }
            let list = try await control.json("messages", "list", "--all", "--from", "2026-01-02")
            #expect(list.map { $0["id"] } == ["m4", "m3", "m2"])
            let ids = try await control.json("conversations", "list").map { $0["id"] }
            #expect(list.map { $0["conversation_id"] } == [ids[0], ids[1], ids[2]])
            let oldest = try await control.json("messages", "list", "--oldest-first", "--limit", "2")
            #expect(oldest.map { $0["id"] } == ["m1", "m2"])
            let page = try await control.run("messages", "list", "--limit", "3")
            let cursor = try #require(page.errorOutput.split(separator: "--before ").last?.split(separator: ",").first)
            let rest = try await control.json("messages", "list", "--before", String(cursor))
            #expect(rest.map { $0["id"] } == ["m1"])
            #expect(try await control.run("messages", "list", "--by-id").exitCode == 64)
        }
    }

    @Test func `an edit to the same text changes nothing, unless a time is given`() async throws {
        try await withControl { control, _ in
            try await control.text("messages", "save", "alice", "--id", "m1", "text")
            let revision = try await control.json("stats").first?["revision"]
            try await control.text("messages", "edit", "m1", "text")
            #expect(try await control.json("stats").first?["revision"] == revision)
            #expect(try await control.json("messages", "get", "m1").first?["edited_at_microseconds"] == nil)
            try await control.text("messages", "edit", "m1", "text", "--time", "@7us")
            #expect(try await control.json("messages", "get", "m1").first?["edited_at_microseconds"] == 7)
        }
    }

    @Test func `with JSON, a list writes the options for its next page to standard error`() async throws {
        try await withControl { control, _ in
            for number in 1...3 {
                try await control.text("messages", "save", "alice", "--id", "m\(number)", "text")
            }
            let first = try await control.run("messages", "list", "alice", "--limit", "2", "--json")
            let more = try #require(try JSON.lines(first.errorOutput).first?["more"]?.array?.compactMap(\.text))
            try #require(more.count == 2 && more.first == "--before")
            let rest = try await control.run("messages", "list", "alice", "--limit", "2", "--json", more[0], more[1])
            #expect(try JSON.lines(first.output + rest.output).map { $0["id"] } == ["m3", "m2", "m1"])
            #expect(rest.errorOutput.isEmpty)
        }
    }

    @Test func `a text that is not UTF-8 is rejected`() async throws {
        try await withControl { control, _ in
            let result = try await control.shell("printf '\\377' | \"$CTL\" messages save alice -")
            #expect(result.exitCode == 65)
        }
    }
}
