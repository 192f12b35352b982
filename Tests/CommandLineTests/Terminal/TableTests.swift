import Foundation
import GhostTestSupport
import TestBasics
import Testing

/// Tables on terminals of several widths, and in output that is not a terminal.
@Suite struct TableTests {
    private static let plain = ["NO_COLOR": "1", "TZ": "XYZ-5:30"]
    private static let sessionID = "05" + String(repeating: "0123456789abcdef", count: 4)

    /// Returns the number of terminal columns of a line. It knows the characters in these texts that do not take one
    /// column.
    private static func columns(_ line: some StringProtocol) -> Int {
        line.unicodeScalars.reduce(0) { count, scalar in
            switch scalar.value {
            case 0x0300...0x036F, 0x05B0...0x05C7, 0x200B...0x200F, 0x2066...0x2069: count
            case 0x4E00...0x9FFF, 0xAC00...0xD7A3, 0x1F300...0x1F6FF: count + 2
            default: count + 1
            }
        }
    }

    private static let texts = [
        String(repeating: "漢字", count: 60), "שלום עולם " + String(repeating: "עוד ", count: 40),
        "\u{1B}[2J\u{202E}evil\u{9B}5m " + String(repeating: "x", count: 300), "short",
        String(repeating: "e\u{301}", count: 120), String(repeating: "long ", count: 100_000),
        "two\nlines\r\n" + String(repeating: "z", count: 90),
    ]

    private func fill(_ control: Control) async throws {
        for (index, text) in Self.texts.enumerated() {
            try await control.text("messages", "save", Self.sessionID, "--id", "id-\(index)", "-", input: text)
            let name = String(text.prefix(300))
            try await control.text("contacts", "save", "k\(index)\(Self.sessionID)", "--display-name", name)
            try await control.text("conversations", "create", "c\(index)", "--display-name", name)
        }
        try await control.text("messages", "save", Self.sessionID, "--outgoing", "hello there")
        try await control.text("logs", "open", "events-" + String(repeating: "n", count: 60), "--maximum-bytes", "1MiB")
        try await control.text("scenes", "set", "main", "key", String(repeating: "value ", count: 40))
    }

    @Test func `no line of a table is wider than a terminal of 40, 80 or 200 columns`() async throws {
        try await withControl { control, _ in
            try await fill(control)
            let commands = [
                "messages list \(Self.sessionID)", "conversations list", "contacts list", "changes list", "logs list",
                "scenes list", "scenes get main", "keys list", "backup list",
            ]
            for width in [40, 80, 200] {
                for command in commands {
                    let output = try await control.onTerminal(command, columns: width, environment: Self.plain)
                    let lines = output.split(whereSeparator: \.isNewline)
                    #expect(!lines.isEmpty)
                    for line in lines {
                        #expect(Self.columns(line) <= width, "\(command): \(line)")
                        #expect(!line.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) })
                    }
                }
            }
        }
    }

    @Test func `a message id is whole or omitted, and a session id shows at least both its ends`() async throws {
        try await withControl { control, _ in
            let text = "this text wants the room that an id would take, for it is longer than fifty columns"
            try await control.text("messages", "save", Self.sessionID, text)
            let id = try #require(try await control.json("messages", "list", Self.sessionID).first?["id"]?.text)
            let list = "messages list \(Self.sessionID)"
            let narrow = try await control.onTerminal(list, environment: Self.plain)
            #expect(narrow.contains(text.prefix(56)) && !narrow.contains(id.prefix(8)), "\(narrow)")
            let broad = try await control.onTerminal(list, columns: 120, environment: Self.plain)
            #expect(broad.contains("  \(id)  ") && broad.contains(text.prefix(50)), "\(broad)")
            let wide = try await control.onTerminal("\(list) --wide", columns: 40, environment: Self.plain)
            #expect(wide.contains(id) && wide.contains("STATUS"))
            let conversations = "conversations list"
            let cut = try await control.onTerminal(conversations, environment: Self.plain)
            #expect(cut.contains("  050…89abcdef  "), "\(cut)")
            for whole in ["--wide \(conversations)", "\(conversations) --columns session_id"] {
                #expect(try await control.onTerminal(whole, environment: Self.plain).contains(Self.sessionID))
            }
            let shortened = try await control.run("messages", "list", "050…89abcdef")
            #expect(
                shortened.exitCode == 2 && shortened.errorOutput.contains("hint: --wide"), "\(shortened.errorOutput)")
        }
    }

    @Test func `at 80 columns messages have a sender, and the text has half of the line`() async throws {
        try await withControl { control, daemon in
            let file = try daemon.directory.write([1], to: "file")
            let text = "the text of a message that is a good deal longer than what a line of a terminal can hold"
            let other = "05" + String(repeating: "fedcba9876543210", count: 4)
            for (id, sender) in [("1", Self.sessionID), ("2", other), ("3", "bob")] {
                try await control.text(
                    "messages", "save", "team", "--id", id, "--sender", sender, "--attach", file, text)
            }
            try await control.text(
                "messages", "save", "team", "--id", "4", "--sender", other, "--outgoing", "--status", "sent", text)
            let lines = try await control.onTerminal("messages list team", environment: Self.plain)
                .split(whereSeparator: \.isNewline)
            #expect(lines[0].contains("SENDER") && !lines[0].contains(" ID "))
            #expect(lines[1].contains("  you  "), "\(lines)")
            for (line, sender) in zip(lines.dropFirst(2), ["bob ", "3210 ", "cdef "]) {
                #expect(line.contains(sender), "\(lines)")
            }
            for line in lines.dropFirst() {
                #expect(line.contains(text.prefix(39)), "\(line)")
            }
            let narrow = try await control.onTerminal("messages list team", columns: 40, environment: Self.plain)
            #expect(narrow.contains("  bob ") && narrow.contains(text.prefix(19)), "\(narrow)")
        }
    }

    @Test func `found messages are listed with the name of the conversation`() async throws {
        try await withControl { control, _ in
            let text = "a parcel " + String(repeating: "and more of it ", count: 10)
            try await control.text("conversations", "create", "05team", "--display-name", "The Team")
            try await control.text("messages", "save", "05team", "--sender", "bob", text)
            try await control.text("messages", "save", "05nameless", "--sender", "carol", text)
            let found = try await control.onTerminal("search messages parcel", environment: Self.plain)
            #expect(found.contains("  The Team") && found.contains("  05nameless"), "\(found)")
            #expect(found.contains("←*") && found.contains(text.prefix(34)), "\(found)")
            let wide = try await control.text("search", "messages", "parcel")
            #expect(wide.contains("The Team") && wide.contains("bob") && wide.contains("carol"), "\(wide)")
            let json = try await control.json("search", "messages", "parcel")
            #expect(json.allSatisfy { $0["conversation_id"]?.text?.utf8.count == 36 })
        }
    }

    @Test func `empty columns are the first to be omitted`() async throws {
        try await withControl { control, _ in
            try await control.text("messages", "save", "alice", "--id", "m1", String(repeating: "long ", count: 20))
            let list = try await control.onTerminal("messages list alice", environment: Self.plain)
            #expect(list.contains(" ID ") && list.contains(" m1 "), "\(list)")
            #expect(!list.contains("STATUS") && !list.contains("SENDER"), "\(list)")
        }
    }

    @Test func `right-to-left text is isolated on a terminal and unchanged elsewhere`() async throws {
        try await withControl { control, _ in
            try await control.text("conversations", "create", "alice", "--display-name", "שם")
            #expect(
                try await control.onTerminal("conversations list", environment: Self.plain)
                    .contains("\u{2068}שם\u{2069}"))
            let piped = try await control.text("conversations", "list")
            #expect(piped.contains("שם") && !piped.contains("\u{2068}"))
        }
    }

    @Test func `times are local on a terminal, and UTC elsewhere or on request`() async throws {
        try await withControl { control, _ in
            try await control.text("messages", "save", "alice", "--id", "m1", "--time", "2026-01-02T22:04:05Z", "hi")
            let list = "messages list alice"
            #expect(try await control.onTerminal(list, environment: Self.plain).contains("2026-01-03 03:34 "))
            let utc = try await control.onTerminal("\(list) --utc", environment: Self.plain)
            #expect(utc.contains("2026-01-02 22:04:05Z"))
            #expect(try await control.text("messages", "list", "alice").contains("2026-01-02 22:04:05Z"))
            let one = try await control.onTerminal("messages get m1", environment: Self.plain)
            #expect(one.contains("2026-01-03 03:34:05.000000 +05:30"))
            #expect(try await control.text("messages", "get", "m1").contains("2026-01-02T22:04:05.000000Z"))
        }
    }

    @Test func `a listing of many pages has one heading and one set of widths`() async throws {
        try await withControl { control, _ in
            let lines = (0..<1_203).map { index in
                #"{"id": "m\#(index)", "text": "t", "conversation_session_id": "s\#(index)"}"#
            }
            try await control.text("messages", "import", "-", input: lines.joined(separator: "\n"))
            for command in [["conversations", "list", "--all"], ["changes", "list", "--all"]] {
                let result = try await control.run(command)
                let rows = result.output.split(separator: "\n")
                #expect(rows.count { $0.hasPrefix("LAST ACTIVITY") || $0.hasPrefix("REVISION") } == 1)
                #expect(rows.count > 1_203)
            }
            let empty = try await control.text("contacts", "list", "--all")
            #expect(empty == "no contacts\n")
        }
    }
}
