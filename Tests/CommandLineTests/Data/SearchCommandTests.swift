import GhostTestSupport
import Testing

@Suite struct SearchCommandTests {
    @Test func `messages are found by their words, in all conversations or one, page by page`() async throws {
        try await withControl { control, _ in
            for (number, text) in ["Grüße aus Köln", "nothing here", "viele GRUSSE", "grüsse"].enumerated() {
                try await control.text(
                    "messages", "save", number == 3 ? "bob" : "alice", "--id", "m\(number)", "--time",
                    "2026-01-0\(number + 1)T00:00:00Z", text)
            }
            let found = try await control.json("search", "messages", "gruss*")
            #expect(found.map { $0["id"] } == ["m3", "m2", "m0"])
            #expect(found.last?["snippet"] == "Grüße aus Köln")
            #expect(found.last?["matches"] == .array([.object(["offset": 0, "count": 7])]))
            let alone = try await control.json("search", "messages", "gruss*", "--in", "alice", "--limit", "1")
            #expect(alone.map { $0["id"] } == ["m2"])
            let id = try #require(found.first?["conversation_id"]?.text)
            let named = try await control.json("search", "messages", "gruss*", "--in", id, "--by-id")
            #expect(named.map { $0["id"] } == ["m3"])
            let first = try await control.run("search", "messages", "grusse", "--limit", "1")
            #expect(first.output.contains("grüsse") && first.errorOutput.contains("--before"))
            let best = try await control.json("search", "messages", "gruss* OR viele", "--best", "--limit", "2")
            #expect(best.map { $0["id"] } == ["m2", "m3"])
            #expect(try await control.run("search", "messages", "x", "--best", "--all").exitCode == 64)
            #expect(try await control.text("search", "messages", "absent").contains("no messages"))
            // An unfinished query is valid: the missing bracket is added.
            #expect(try await control.text("search", "messages", "(absent").contains("no messages"))
            #expect(try await control.run("search", "messages", "x", "--by-id").exitCode == 64)
            #expect(try await control.text("search", "rebuild").contains("is rebuilt"))
            #expect(try await control.json("search", "messages", "koln").count == 1)
        }
    }

    @Test func `contacts and conversations are found by the beginning of their names`() async throws {
        try await withControl { control, _ in
            for (name, session) in [("Anna Müller", "05a"), ("Annika", "05b"), ("Bob", "05c")] {
                try await control.text("contacts", "save", session, "--display-name", name)
                try await control.text("conversations", "create", session, "--display-name", name)
            }
            try await control.text("contacts", "block", "05b")
            for area in ["contacts", "conversations"] {
                // Contacts are listed by name, conversations with the newest first.
                func found(_ query: String) async throws -> [JSON?] {
                    let rows = try await control.json("search", area, query).map { $0["session_id"] }
                    return area == "contacts" ? rows : rows.reversed()
                }
                #expect(try await found("ann") == ["05a", "05b"])
                #expect(try await found("anna mu") == ["05a"])
                #expect(try await found("05") == ["05a", "05b", "05c"])
                #expect(try await found("0 NOT bob").isEmpty)
                #expect(try await found("05a OR bob") == ["05a", "05c"])
                #expect(try await control.text("search", area, "(absent").contains("no \(area)"))
                #expect(try await control.text("search", area, "absent").contains("no \(area)"))
            }
            #expect(
                try await control.json("search", "contacts", "ann", "--blocked").map { $0["session_id"] } == ["05b"])
        }
    }
}
