import GhostTestSupport
import TestBasics
import Testing

/// Lists and help on a terminal go through the user's pager. All other output does not.
@Suite struct PagerTests {
    private static let marking = ["GHOSTSTORE_PAGER": "sed s/^/paged:/", "NO_COLOR": "1"]

    @Test func `a list on a terminal is paged, and messages appear after it`() async throws {
        try await withControl { control, _ in
            for name in ["alice", "bob"] {
                try await control.text("contacts", "save", name)
            }
            let list = "contacts list --limit 1"
            let paged = try await control.onTerminal(list, environment: Self.marking)
            let lines = paged.split(whereSeparator: \.isNewline)
            #expect(lines.count == 3 && lines[0].hasPrefix("paged:NAME") && lines[1].contains("alice"), "\(paged)")
            #expect(lines.last?.hasPrefix("ghoststorectl: there is more") == true, "\(paged)")
            for (words, variables) in [
                ("\(list) --no-pager", Self.marking), (list, ["GHOSTSTORE_PAGER": "", "PAGER": "sed s/^/paged:/"]),
                (list, Self.marking.merging(["TERM": "dumb"]) { _, new in new }), ("\(list) | cat", Self.marking),
                ("stats", Self.marking), ("watch --after 0 --count 1", Self.marking),
            ] {
                let plain = try await control.onTerminal(words, environment: variables)
                #expect(!plain.isEmpty && !plain.contains("paged:"), "\(words): \(plain)")
            }
            let piped = try await control.run("contacts", "list", environment: Self.marking)
            #expect(!piped.output.contains("paged:"))
        }
    }

    @Test func `help on a terminal is paged, unless the user turns the pager off`() async throws {
        try await withControl { control, _ in
            for words in ["--help", "help", "messages list --help", "help messages list", "messages --help"] {
                let paged = try await control.onTerminal(words, environment: Self.marking)
                let lines = paged.split(whereSeparator: \.isNewline)
                #expect(lines.count > 5 && lines.allSatisfy { $0.hasPrefix("paged:") }, "\(words): \(paged)")
            }
            for (words, variables) in [
                ("--help --no-pager", Self.marking), ("--help | cat", Self.marking), ("--version", Self.marking),
                ("--help", ["GHOSTSTORE_PAGER": "", "PAGER": "sed s/^/paged:/"]),
            ] {
                let plain = try await control.onTerminal(words, environment: variables)
                #expect(!plain.isEmpty && !plain.contains("paged:"), "\(words): \(plain)")
            }
        }
    }

    @Test(arguments: [
        ("/nonexistent", "there is no pager '/nonexistent'"),
        ("/etc/passwd", "cannot start the pager '/etc/passwd': it is not executable"),
        ("false", "the pager 'false' ended with status 1"),
        ("kill -TERM $$", "the pager 'kill -TERM $$' ended with status 143"),
    ])
    func `help is printed without its pager if the pager fails`(pager: String, cause: String) async throws {
        try await withControl { control, _ in
            let shown = try await control.onTerminal(
                "help messages list; echo status \\$?", columns: 200,
                environment: ["GHOSTSTORE_PAGER": pager, "NO_COLOR": "1"])
            let lines = shown.split(whereSeparator: \.isNewline)
            #expect(lines.contains { $0.hasPrefix("USAGE: ghoststorectl messages list") }, "\(shown)")
            let hint = "use --no-pager, or set another pager in GHOSTSTORE_PAGER"
            let warning = "ghoststorectl: warning: \(cause); hint: \(hint)"
            #expect(lines.suffix(2) == [warning[...], "status 0"], "\(shown)")
        }
    }

    @Test func `help is not printed again after a pager that succeeds or ends by Ctrl-C`() async throws {
        try await withControl { control, _ in
            for pager in ["head -n 1", "kill -INT $$"] {
                let shown = try await control.onTerminal("--help", environment: ["GHOSTSTORE_PAGER": pager])
                #expect(!shown.contains("USAGE:") && !shown.contains("warning"), "\(pager): \(shown)")
            }
        }
    }

    @Test func `a pager that ends early ends the list, and an error names a missing pager`() async throws {
        try await withControl { control, _ in
            let lines = (0..<3_000).map { #"{"id": "m\#($0)", "text": "t", "conversation_session_id": "s"}"# }
            try await control.text("messages", "import", "-", input: lines.joined(separator: "\n"))
            let list = "messages list s --all; echo status \\$?"
            let early = try await control.onTerminal(list, environment: ["GHOSTSTORE_PAGER": "head -n 3"])
            #expect(early.contains("status 141") && early.split(whereSeparator: \.isNewline).count == 4, "\(early)")
            let missing = try await control.onTerminal(list, environment: ["GHOSTSTORE_PAGER": "no-such-pager"])
            #expect(missing.contains("there is no pager 'no-such-pager'; hint: use --no-pager"), "\(missing)")
            #expect(missing.contains("status 74"), "\(missing)")
            let closed = try await control.onTerminal(list, environment: ["GHOSTSTORE_PAGER": "/etc/passwd"])
            #expect(closed.contains("cannot start the pager '/etc/passwd'"), "\(closed)")
            #expect(closed.contains("status 74"), "\(closed)")
            // This pager reads everything and then fails, so it may have shown nothing.
            let failed = try await control.onTerminal(list, environment: ["GHOSTSTORE_PAGER": "cat > /dev/null; false"])
            #expect(failed.contains("ended with status 1; hint: use"), "\(failed)")
            #expect(failed.contains("status 74"), "\(failed)")
        }
    }

    @Test func `less ends at once if the text fits the screen`() async throws {
        try await withControl { control, _ in
            try await control.text("contacts", "save", "alice")
            let shown = try await control.onTerminal(
                "contacts list; echo status \\$?", environment: ["GHOSTSTORE_PAGER": "less", "NO_COLOR": "1"])
            #expect(shown.contains("alice") && shown.contains("status 0"), "\(shown)")
        }
    }
}
