import GhostTestSupport
import StoreClient
import Testing

@Suite struct ChangeCommandTests {
    @Test func `changes are listed by revision, and compacted on request`() async throws {
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

    @Test func `the newest changes are listed, with and without a filter`() async throws {
        try await withControl { control, _ in
            try await control.text("contacts", "save", "bob")
            for number in 0..<30 {
                try await control.text("messages", "save", "alice", "--id", "m\(number)", "hello")
            }
            let last = try await control.json("changes", "list", "--last", "3")
            #expect(last.map { $0["id"] } == ["m27", "m28", "m29"])
            #expect(try await control.json("changes", "list", "--last", "1", "--kind", "contact").count == 1)
            #expect(
                try await control.json("changes", "list", "alice", "--last", "2", "--kind", "message").map { $0["id"] }
                    == ["m28", "m29"])
            #expect(try await control.json("changes", "list", "--last", "500").count == 32)
            #expect(try await control.json("changes", "list", "--kind", "contact").map { $0["revision"] } == [1])
            #expect(try await control.run("changes", "list", "--last", "1", "--all").exitCode == 64)
            #expect(try await control.run("changes", "list", "--last", "0").exitCode == 64)
        }
    }

    @Test func `a filter that few of many entries match shows the matches, up to the limit`() async throws {
        try await withControl { control, _ in
            func line(_ number: Int, isRead: Bool) -> String {
                let id = String(number)
                return #"{"id": "\#(id)", "conversation_session_id": "a", "text": "t", "is_read": \#(isRead), "#
                    + #""timestamp_microseconds": \#(number + 1)}"#
            }
            // More messages than the daemon searches for one page of a list.
            let lines = (0..<10_200).map { line($0, isRead: $0 > 1) }.joined(separator: "\n")
            try await control.text("messages", "import", "-", input: lines)
            for contact in ["bob", "carl", "dora"] {
                try await control.text("contacts", "save", contact)
            }
            let contacts = try await control.run("changes", "list", "--kind", "contact")
            #expect(contacts.output.split(separator: "\n").count == 4 && contacts.errorOutput.isEmpty, "\(contacts)")
            #expect(try await control.json("changes", "list", "--kind", "contact", "--limit", "2").count == 2)
            #expect(try await control.json("messages", "list", "a", "--unread").map { $0["id"] } == ["1", "0"])
            #expect(try await control.json("messages", "list", "a", "--unread", "--limit", "1").count == 1)
            #expect(try await control.json("messages", "list", "a", "--limit", "700").count == 700)
        }
    }

    @Test func `a command with the id of the current history succeeds, and after a restore it fails`() async throws {
        try await withControl { control, daemon in
            try await control.text("logs", "open", "events", "--maximum-bytes", "1000")
            let history = try #require(try await control.json("status").first?["history_id"]?.text)
            #expect(history.count == 32)
            #expect(try await control.text("status").contains(history))
            #expect(try await control.text("changes", "list", "--history", history).contains("events"))
            #expect(try await control.run("changes", "list", "--history", "short").exitCode == 64)
            // In Protobuf JSON, the history id is in base64.
            let answer = try JSON.lines(try await control.text("rpc", #"{"getStatus": {}}"#)).first
            let base64 = try #require(answer?["status"]?["historyId"]?.text)
            #expect(base64 != history)
            #expect(try await control.text("changes", "list", "--history", base64).contains("events"))
            let name = try #require(try await control.json("backup", "create").first?["name"]?.text)
            async let watched = control.run("watch", "--after", "0")
            async let followed = control.run("logs", "follow", "events")
            async let scene = control.run("scenes", "watch", "main")
            async let messages = control.run("messages", "follow", "--history", history)
            let client = try await daemon.connect()
            try await eventually("four follow") {
                let metrics = try await client.metrics()
                return metrics.contains("ghoststore_watches 3\n") && metrics.contains("read_log")
            }
            try await control.text("backup", "restore", name, "--replace")
            for result in [try await watched, try await followed, try await scene, try await messages] {
                #expect(result.exitCode == 3)
                #expect(result.errorOutput.contains("a backup replaced"))
                #expect(result.errorOutput.contains("HISTORY_CHANGED"))
            }
            let refused = [
                ["watch", "--after", "0"], ["messages", "follow", "--after", "0"], ["changes", "list"],
                ["scenes", "set", "main", "k", "v"],
            ]
            for arguments in refused {
                let result = try await control.run(arguments + ["--history", history])
                #expect(result.exitCode == 3 && result.errorOutput.contains("HISTORY_CHANGED"))
            }
            await client.close()
        }
    }
}
