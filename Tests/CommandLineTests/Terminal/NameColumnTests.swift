import GhostTestSupport
import TestBasics
import Testing

/// Lists of messages show the names of the sender and of the conversation.
@Suite struct NameColumnTests {
    private static let plain = ["NO_COLOR": "1", "TZ": "UTC"]
    private static let anna = "05" + String(repeating: "0123456789abcdef", count: 4)
    private static let carl = "05" + String(repeating: "fedcba9876543210", count: 4)
    private static let ids = (1...3).map { "019ab3c4-5d6e-7f80-9abc-def01234567\($0)" }
    private static let text =
        "the text of a message that is a good deal longer than what a line of a terminal of eighty columns can hold"

    /// Stores a conversation with three people: a contact with a name, a contact without one, and the owner of this
    /// store.
    private func fill(_ control: Control) async throws {
        try await control.text("contacts", "save", Self.anna, "--display-name", "Anna Karenina")
        try await control.text("contacts", "save", Self.carl)
        try await control.text("conversations", "create", "05team", "--display-name", "The Team")
        let others = [["--sender", Self.anna], ["--sender", Self.carl, "--read"]]
        let own = ["--sender", "05me", "--recipient", Self.anna, "--outgoing", "--status", "delivered"]
        for (index, options) in (others + [own]).enumerated() {
            let saved = try await control.run(
                ["messages", "save", "05team", "--id", Self.ids[index], "--time", "2026-01-0\(index + 1)", Self.text]
                    + options)
            #expect(saved.exitCode == 0, "\(saved.errorOutput)")
        }
    }

    /// Returns the cells of a table's lines, beginning with the heading.
    private func cells(_ control: Control, _ words: String...) async throws -> [[String]] {
        try await cells(control, words)
    }

    private func cells(_ control: Control, _ words: [String]) async throws -> [[String]] {
        let result = try await control.run(words)
        #expect(result.exitCode == 0, "\(result.errorOutput)")
        return result.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            .map { $0.split(separator: #/ {2,}/#).map(String.init) }
    }

    @Test func `a list of messages names contacts, shows ids of others, and says you for own messages`() async throws {
        try await withControl { control, _ in
            try await fill(control)
            let senders = try await cells(control, "messages", "list", "05team", "--columns", "sender")
            #expect(senders == [["SENDER"], ["you"], [Self.carl], ["Anna Karenina"]])
            let fields = try await cells(control, "messages", "list", "05team", "--columns", "sender_session_id")
            #expect(fields == [["SENDER_SESSION_ID"], ["05me"], [Self.carl], [Self.anna]])
            let json = try await control.json("messages", "list", "05team")
            #expect(json.map { $0["sender_session_id"]?.text } == ["05me", Self.carl, Self.anna])
            #expect(json.allSatisfy { $0["sender_name"] == nil })
        }
    }

    @Test func `a list of all messages names their conversations, a list of one conversation does not`() async throws {
        try await withControl { control, _ in
            try await fill(control)
            try await control.text("messages", "save", "05bob", "--time", "2026-01-02T12:00:00Z", "hello")
            let list = ["messages", "list", "--columns", "conversation,sender"]
            let all = [
                ["CONVERSATION", "SENDER"], ["The Team", "you"], ["05bob"], ["The Team", Self.carl],
                ["The Team", "Anna Karenina"],
            ]
            #expect(try await cells(control, list) == all)
            let one = try await control.run("messages", "list", "05team", "--columns", "conversation")
            #expect(one.exitCode == 64 && one.output.isEmpty, "\(one.errorOutput)")
            let shown = try await control.onTerminal("messages list --limit 1", environment: Self.plain)
            let heading = shown.split(whereSeparator: \.isNewline).first?.split(separator: " ")
            #expect(heading?.prefix(3) == ["TIME", "CONVERSATION", "SENDER"], "\(shown)")
        }
    }

    @Test func `a sender without a contact has the name that the message has, with a part of the session id`()
        async throws
    {
        try await withControl { control, _ in
            try await fill(control)
            let list = ["messages", "list", "05team", "--columns", "sender,text", "--from", "2026-02-01"]
            for (id, sender, kind) in [("c", Self.carl, ""), ("a", Self.anna, ""), ("n", "", "call")] {
                let words = ["--sender", sender, "--sender-name", "Dave", "--kind", kind, "--time", "2026-02-02"]
                let saved = try await control.run(
                    ["messages", "save", "05team", "--id", id] + words + [kind.isEmpty ? "hi" : ""])
                #expect(saved.exitCode == 0, "\(saved.errorOutput)")
            }
            let carl = "Dave (\(Self.carl.prefix(8)))"
            let shown = [["SENDER", "TEXT"], ["Dave", "[call]"], [carl, "hi"], ["Anna Karenina", "hi"]]
            #expect(try await cells(control, list) == shown)
            let programs = try await control.run(list.filter { $0 != "sender,text" && $0 != "--columns" } + ["--json"])
            #expect(try JSON.lines(programs.output).map { $0["sender_name"] } == ["Dave", "Dave", "Dave"])
        }
    }

    @Test func `a sender without a contact has the name of the conversation with that person`() async throws {
        try await withControl { control, _ in
            try await control.text("conversations", "create", "05dora", "--display-name", "Dora")
            for (index, sender) in ["05dora", "05else", ""].enumerated() {
                try await control.text(
                    "messages", "save", "05dora", "--time", "2026-01-0\(index + 1)", "--sender", sender, "hi")
            }
            let senders = try await cells(control, "messages", "list", "05dora", "--columns", "sender,text")
            #expect(senders == [["SENDER", "TEXT"], ["hi"], ["05else", "hi"], ["Dora", "hi"]])
            try await control.text("contacts", "save", "05dora", "--display-name", "Theodora")
            let named = try await cells(control, "messages", "list", "05dora", "--columns", "sender,text")
            #expect(named.last == ["Theodora", "hi"])
        }
    }

    @Test func `the beginnings of session ids distinguish people with the same name`() async throws {
        try await withControl { control, _ in
            // The first eight characters of this id are equal to the beginning of another id.
            let other = Self.anna.prefix(8) + "ff"
            for (id, name) in [(Self.anna, "Anna"), (Self.carl, "Anna"), ("\(other)", "Anna"), ("05you", "you")] {
                try await control.text("contacts", "save", id, "--display-name", name)
            }
            for (index, sender) in [Self.anna, Self.carl, "\(other)", "05you", Self.anna].enumerated() {
                let time = "2026-01-0\(index + 1)"
                try await control.text("messages", "save", "05team", "--time", time, "--sender", sender, Self.text)
            }
            let list = ["messages", "list", "05team", "--columns", "sender"]
            let both = [
                ["SENDER"], ["Anna (\(Self.anna.prefix(9)))"], ["you (05you)"], ["Anna (\(other.prefix(9)))"],
                ["Anna (\(Self.carl.prefix(8)))"], ["Anna (\(Self.anna.prefix(9)))"],
            ]
            #expect(try await cells(control, list) == both)
            #expect(try await cells(control, list + ["--sender", Self.anna]) == [["SENDER"], ["Anna"], ["Anna"]])
            let shown = try await control.onTerminal("messages list 05team", environment: Self.plain)
            for id in ["\(Self.anna.prefix(9))", "\(other.prefix(9))", "\(Self.carl.prefix(8))"] {
                #expect(shown.contains("\(id.suffix(4)))  "), "\(shown)")
            }
            try await control.text("messages", "save", "05team", "--time", "2026-01-06", "--outgoing", "mine")
            let mine = try await cells(control, list + ["--limit", "3"])
            #expect(mine == [["SENDER"], ["you"], ["Anna"], ["you (05you)"]])
        }
    }

    @Test func `the beginnings of session ids distinguish conversations with the same name`() async throws {
        try await withControl { control, _ in
            for id in [Self.anna, Self.carl] {
                try await control.text("conversations", "create", id, "--display-name", "Team")
                try await control.text("messages", "save", id, "--sender", "05bob", "hello")
                try await control.text("drafts", "save", id, "draft")
            }
            let named = [["CONVERSATION"], ["Team (\(Self.carl.prefix(8)))"], ["Team (\(Self.anna.prefix(8)))"]]
            for list in [["search", "messages", "hello"], ["drafts", "list"]] {
                #expect(try await cells(control, list + ["--columns", "conversation"]) == named)
            }
        }
    }

    @Test func `found messages have the names of their conversation and their sender`() async throws {
        try await withControl { control, _ in
            try await fill(control)
            try await control.text("messages", "save", "05nameless", "--sender", "05bob", "another message")
            let columns = ["search", "messages", "message", "--columns", "conversation,sender"]
            let found = try await control.run(columns).output.split(separator: "\n")
                .map { $0.split(separator: #/ {2,}/#).map(String.init) }
            let team = [["The Team", "you"], ["The Team", Self.carl], ["The Team", "Anna Karenina"]]
            #expect(found == [["CONVERSATION", "SENDER"], ["05nameless", "05bob"]] + team)
        }
    }

    @Test func `drafts, reactions and followed messages have names too`() async throws {
        try await withControl { control, _ in
            try await fill(control)
            try await control.text("drafts", "save", "05team", "not sent yet")
            try await control.text("drafts", "save", "05nameless", "nor this")
            let drafts = try await cells(control, "drafts", "list", "--columns", "conversation,text")
            #expect(
                drafts == [["CONVERSATION", "TEXT"], ["05nameless", "nor this"], ["The Team", "not sent yet"]])
            for author in [Self.anna, Self.carl] {
                try await control.text("messages", "react", Self.ids[0], "👍", "--by", author)
            }
            let reactions = try await cells(control, "messages", "reactions", Self.ids[0], "--columns", "author")
            #expect(reactions == [["AUTHOR"], ["Anna Karenina"], [Self.carl]])
            let followed = try await control.text("messages", "follow", "05team", "--after", "0", "--count", "3")
                .split(separator: "\n")
            for (line, way) in zip(followed, ["← Anna Karenina", "← \(Self.carl)", "→ Anna Karenina"]) {
                #expect(line.hasSuffix("Z  \(way): \(Self.text)"), "\(line)")
            }
        }
    }

    @Test func `an outgoing message is shown as pending, an incoming one is not`() async throws {
        try await withControl { control, _ in
            try await control.text("messages", "save", "05bob", "--id", "m1", "--time", "2026-01-01", "in")
            try await control.text(
                "messages", "save", "05bob", "--id", "m2", "--time", "2026-01-02", "--outgoing", "out")
            try await control.text(
                "messages", "save", "05bob", "--id", "m3", "--time", "2026-01-03", "--status", "failed", "in")
            let shown = try await cells(control, "messages", "list", "05bob", "--columns", "id,status")
            #expect(shown == [["ID", "STATUS"], ["m3", "failed"], ["m2", "pending"], ["m1"]])
            #expect(!(try await control.text("messages", "get", "m1")).contains("pending"))
            #expect(try await control.text("messages", "get", "m2").contains("pending"))
            #expect(try await control.json("messages", "get", "m1").first?["status"] == "pending")
            #expect(try await control.json("messages", "list", "05bob", "--status", "pending").count == 2)
        }
    }

    @Test func `names are shown at 80, 120 and 200 columns, and ids if there is room`() async throws {
        try await withControl { control, _ in
            try await fill(control)
            let widths: [(columns: Int, messages: [String], found: [String], textMin: Int)] = [
                (80, ["TIME", "SENDER", "STATUS", "TEXT"], ["TIME", "CONVERSATION", "FOUND"], 33),
                (
                    120, ["TIME", "SENDER", "STATUS", "TEXT"], ["TIME", "CONVERSATION", "SENDER", "FOUND"], 65
                ),
                (
                    200, ["TIME", "SENDER", "STATUS", "FILES", "ID", "TEXT"],
                    ["TIME", "CONVERSATION", "SENDER", "ID", "FOUND"], 49
                ),
            ]
            for width in widths {
                for (command, heading) in [
                    ("messages list 05team", width.messages), ("search messages message", width.found),
                ] {
                    let lines = try await control.onTerminal(command, columns: width.columns, environment: Self.plain)
                        .split(whereSeparator: \.isNewline)
                    #expect(
                        lines.first?.split(separator: " ").map(String.init) == heading, "\(width.columns): \(lines)")
                    try #require(lines.count == 4)
                    for line in lines.dropFirst() {
                        #expect(line.contains(Self.text.prefix(width.textMin)), "\(width.columns): \(line)")
                    }
                    let names =
                        command.hasPrefix("search") ? ["The Team", "The Team", "The Team"] : ["you ", "05", "Anna K"]
                    for (line, name) in zip(lines.dropFirst(), names) {
                        #expect(line.contains("  \(name)"), "\(width.columns): \(line)")
                    }
                    let hasIDs = zip(lines.dropFirst(), Self.ids.reversed()).allSatisfy { $0.contains("  \($1)  ") }
                    #expect(hasIDs == heading.contains("ID"), "\(width.columns): \(lines)")
                }
            }
        }
    }
}
