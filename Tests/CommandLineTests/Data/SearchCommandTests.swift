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
            let first = try await control.run("search", "messages", "grusse", "--limit", "1")
            #expect(first.output.contains("grüsse") && first.errorOutput.contains("--before"))
            #expect(try await control.text("search", "messages", "absent").contains("no messages"))
            #expect(try await control.run("search", "messages", "(one").exitCode == 65)
            #expect(try await control.run("search", "messages", "x", "--by-id").exitCode == 64)
            #expect(try await control.text("search", "rebuild").contains("anew"))
            #expect(try await control.json("search", "messages", "koln").count == 1)
        }
    }
}
