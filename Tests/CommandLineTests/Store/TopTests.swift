import GhostTestSupport
import Glibc
import TestBasics
import Testing

/// The numbers that `top` shows, and the ways in which it ends.
@Suite struct TopTests {
    @Test func `one screen shows the activity of the daemon between two moments`() async throws {
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

    @Test func `top prints an object per interval with JSON, with the calls of the interval`() async throws {
        try await withControl { control, _ in
            let top = try control.start("top", "--json", "--interval", "100ms")
            func looks() throws -> [JSON] {
                // The last line may be incomplete.
                let lines = top.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
                return try JSON.lines(lines.joined(separator: "\n"))
            }
            func busy() throws -> [JSON] {
                let calls = try looks().flatMap { $0["calls"]?.array ?? [] }.filter { $0["call"] == "save_message" }
                return calls.filter { $0["median_microseconds_max"] != nil }
            }
            try await eventually("a look has seen calls", within: .seconds(30)) {
                try await control.text("messages", "save", "alice", "hi")
                return try !busy().isEmpty
            }
            #expect(try busy().allSatisfy { ($0["mean_microseconds"]?.integer ?? 0) > 0 }, "\(top.output)")
            top.signal(SIGINT)
            #expect(try await top.wait().status == .signalled(SIGINT))
            let counted = try await control.text("top", "--json", "--interval", "100ms", "--count", "3")
            #expect(try JSON.lines(counted).count == 3)
        }
    }

    @Test func `top redraws the screen in place and ends with q`() async throws {
        try await withControl { control, _ in
            let shown = try await control.onTerminal(
                "top --interval 100ms; echo status \\$?", [(prompt: "journal", answer: "q")])
            #expect(shown.exitCode == 0 && shown.output.contains("status 0"), "\(shown)")
            #expect(shown.output.contains("\u{1B}[H") && shown.output.contains("\u{1B}[K"))
        }
    }
}
