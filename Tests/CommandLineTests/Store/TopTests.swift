import GhostTestSupport
import TestBasics
import Testing

/// `top`: what it counts, and how it ends.
@Suite struct TopTests {
    @Test func `one screen tells what the daemon did between two looks`() async throws {
        try await withControl { control, _ in
            for index in 0..<20 {
                try await control.text("messages", "save", "alice", "--id", "m\(index)", "hi")
            }
            _ = try await control.run("messages", "get", "none")
            let screen = try await control.text("top", "--once", "--interval", "100ms")
            #expect(screen.hasPrefix("ghoststored ") && screen.contains("  open  revision "), "\(screen)")
            for word in ["clients ", "watches ", "memory ", "WAL ", "journal ", "PER SECOND", "99 %"] {
                #expect(screen.contains(word), "\(word)")
            }
            let rows = screen.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
            let saved = try #require(rows.first { $0.first == "save_message" })
            #expect(saved.last == "0" && saved.dropLast().last == "20")
            let missed = try #require(rows.first { $0.first == "get_message" })
            #expect(missed.last == "1")
        }
    }

    @Test func `with JSON an object a look, with the calls of that time`() async throws {
        try await withControl { control, _ in
            let top = try control.start("top", "--json", "--interval", "200ms", "--count", "4")
            for index in 0..<30 {
                try await control.text("messages", "save", "alice", "--id", "m\(index)", "hi")
            }
            let result = try await top.wait()
            #expect(result.exitCode == 0, "\(result.errorOutput)")
            let looks = try JSON.lines(result.output)
            #expect(looks.count == 4)
            let calls = looks.flatMap { $0["calls"]?.array ?? [] }.filter { $0["call"] == "save_message" }
            let busy = calls.filter { $0["median_microseconds_max"] != nil }
            #expect(!busy.isEmpty && busy.allSatisfy { ($0["mean_microseconds"]?.integer ?? 0) > 0 }, "\(calls)")
        }
    }

    @Test func `it is drawn over itself and ends with q`() async throws {
        try await withControl { control, _ in
            let shown = try await control.onTerminal(
                "top --interval 100ms; echo status \\$?", [(prompt: "journal", answer: "q")])
            #expect(shown.exitCode == 0 && shown.output.contains("status 0"), "\(shown)")
            #expect(shown.output.contains("\u{1B}[H") && shown.output.contains("\u{1B}[K"))
        }
    }
}
