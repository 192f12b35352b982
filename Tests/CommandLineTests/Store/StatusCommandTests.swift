import GhostTestSupport
import Testing

@Suite struct StatusCommandTests {
    @Test func `status tells the store's state in every state`() async throws {
        try await withUninitializedControl { control, _ in
            #expect(try await control.text("status").contains("store        absent"))
            let status = try await control.json("status")
            #expect(status.first?["store_state"] == "absent")
            #expect(status.first?["protocol_version"] == 1)
            #expect(try await control.run("status", "--require-open").exitCode == 3)
        }
        try await withControl { control, _ in
            let status = try await control.text("status", "--require-open")
            #expect(status.contains("open"))
        }
    }

    @Test func `stats count what was saved`() async throws {
        try await withControl { control, _ in
            try await control.text("messages", "save", "alice", "hello")
            try await control.text("contacts", "save", "bob")
            let stats = try await control.json("stats")
            #expect(stats.first?["conversation_count"] == 1)
            #expect(stats.first?["message_count"] == 1)
            #expect(stats.first?["contact_count"] == 1)
            #expect(stats.first?["unread_count"] == 1)
            #expect(try await control.text("stats").contains("unread             1"))
        }
    }

    @Test func `metrics are Prometheus text`() async throws {
        try await withControl { control, _ in
            let text = try await control.text("metrics")
            #expect(text.hasPrefix("# HELP "))
            let samples = try await control.json("metrics")
            let hello = samples.first { $0["labels"]?["call"] == "hello" && $0["labels"]?["outcome"] == "success" }
            #expect(hello?["name"] == "ghoststore_requests_total" && (hello?["value"]?.integer ?? 0) > 0)
            #expect(samples.allSatisfy { $0.names == ["name", "labels", "value"] })
        }
    }

    @Test func `check of a healthy store is clean`() async throws {
        try await withControl { control, _ in
            try await control.text("messages", "save", "alice", "hello")
            #expect(try await control.text("check").contains("clean  yes"))
            let report = try await control.json("check")
            #expect(report.first?["is_clean"] == true)
            #expect(report.first?["rows_checked"]?.integer ?? 0 > 0)
        }
    }

    @Test func `clear-all-data asks, and without a terminal needs --yes`() async throws {
        try await withControl { control, _ in
            try await control.text("messages", "save", "alice", "hello")
            let refused = try await control.shell("setsid -w \"$CTL\" clear-all-data")
            #expect(refused.exitCode == 64)
            #expect(refused.errorOutput.contains("--yes"))
            #expect(try await control.json("stats").first?["message_count"] == 1)
            try await control.text("clear-all-data", "--yes")
            #expect(try await control.json("stats").first?["message_count"] == 0)
            #expect(try await control.json("clear-all-data", "--yes").first?["revision"] != nil)
        }
    }

    @Test func `locking where there is no store is refused`() async throws {
        try await withUninitializedControl { control, _ in
            let result = try await control.run("lock")
            #expect(result.exitCode == 3 && result.errorOutput.contains("STORE_ABSENT"), "\(result.errorOutput)")
        }
    }

    @Test func `a locked store tells no revision to people`() async throws {
        try await withControl { control, _ in
            #expect(try await control.text("status").contains("revision"))
            try await control.text("lock")
            #expect(try await control.text("lock") == "the store is locked\n")
            #expect(!(try await control.text("status").contains("revision")))
        }
    }
}
