import FoundationEssentials
import GhostTestSupport
import TestBasics
import Testing

@Suite struct ImportExportTests {
    /// The sample of dialogs in this repository. A long test run also uses the whole collection of dialogs, if it is
    /// beside the project.
    static let dialogFiles: [String] = {
        let sample = "\(BuiltPrograms.packageDirectory)/Tests/Fixtures/dialogs-sample.jsonl"
        let whole = "\(BuiltPrograms.packageDirectory)/../shared/data/dialogs.jsonl"
        return TestTier.cases(
            [sample], long: FileManager.default.fileExists(atPath: whole) ? [sample, whole] : [sample])
    }()

    private static func read(_ path: String) throws -> String {
        String(decoding: try #require(FileManager.default.contents(atPath: path)), as: UTF8.self)
    }

    @Test(arguments: dialogFiles)
    func `dialogs are exported as they were imported, and a second import adds nothing`(_ file: String) async throws {
        try await withControl { control, _ in
            let original = try Self.read(file)
            let lines = try JSON.lines(original)
            let turnCount = lines.reduce(0) { $0 + ($1["turns"]?.array?.count ?? 0) }
            #expect(Set(lines.map { $0["language"]?.text }).count == 28)
            let first = try await control.json("messages", "import", file)
            #expect(first.first?["conversations"]?.integer == Int64(lines.count))
            #expect(first.first?["new_messages"]?.integer == Int64(turnCount))
            let exported = try await control.text("messages", "export", "--dialogs")
            #expect(exported == original)
            let second = try await control.json("messages", "import", file)
            #expect(second.first?["new_messages"] == 0)
            let stats = try await control.json("stats")
            #expect(stats.first?["message_count"]?.integer == Int64(turnCount))
            #expect(stats.first?["conversation_count"]?.integer == Int64(lines.count))
            print("dialogs: \(lines.count) lines, \(turnCount) turns of \(file)")
        }
    }

    @Test func `the sample in Examples equals the sample of the tests`() throws {
        let root = BuiltPrograms.packageDirectory
        #expect(
            try Self.read("\(root)/Examples/sample-dialogs.jsonl")
                == Self.read("\(root)/Tests/Fixtures/dialogs-sample.jsonl"))
    }

    /// Stores everything that a full export must preserve: order among equal times, both forms of "é", an edit,
    /// attachments, avatars, empty texts, control characters, members and the application's own data.
    private func fill(_ control: Control, _ directory: TemporaryDirectory) async throws {
        let avatar = try directory.write((0...255).map { UInt8($0) }, to: "avatar")
        var lines: [String] = []
        for number in 0..<1_200 {
            lines.append(
                """
                {"id": "same-time-\(number % 7)-\(number)", "conversation_session_id": "busy", \
                "text": "\(number)", "timestamp_microseconds": 1700000000000000}
                """)
        }
        lines.append(#"{"conversation_session_id": "caf\u00e9", "id": "nfc", "text": "caf\u00e9 \u0000\u0007\n\"\\/"}"#)
        lines.append(#"{"conversation_session_id": "cafe\u0301", "id": "nfd", "text": "\ud83d\ude00\u009b"}"#)
        let members = (0..<300).map { #"{"session_id": "member-\#($0)", "name": "\#($0)", "role": "r"}"# }
        lines.append(
            #"{"kind": "conversation", "session_id": "group", "members": [\#(members.joined(separator: ", "))]}"#)
        let input = lines.joined(separator: "\n")
        #expect(try await control.json("messages", "import", "-", input: input).first?["new_messages"] == 1_202)
        #expect(try await control.json("conversations", "members", "list", "group", "--all").count == 300)
        let metadata = ["--metadata", avatar, "--metadata-type", "a/b"]
        for command in [
            ["messages", "save", "busy", "--id", "event", "--kind", "notice", "--sender-name", "Bob", "joined"],
            ["conversations", "update", "busy", "--kind", "group"], ["contacts", "save", "bob"],
        ] {
            #expect(try await control.run(command + metadata).exitCode == 0)
        }
        try await control.text("messages", "edit", "nfc", "edited", "--time", "@1700000000.000001")
        try await control.text("messages", "save", "busy", "--attachment-url", "u", "--outgoing", "")
        try await control.text("conversations", "update", "busy", "--pinned", "--avatar-file", avatar)
        try await control.text("conversations", "create", "empty", "--display-name", "n")
        try await control.text("contacts", "save", "k", "--notes", "n", "--avatar-file", avatar, "--trusted")
        try await control.text("contacts", "block", "spam")
    }

    @Test func `a full export imported into an empty store is exported again byte for byte`() async throws {
        try await withControl { source, daemon in
            try await fill(source, daemon.directory)
            let file = daemon.directory.file("export.jsonl")
            try await source.text("messages", "export", "--all", "--output", file)
            try await withControl { target, _ in
                try await target.text("messages", "import", file)
                #expect(try await target.text("messages", "export", "--all") == Self.read(file))
                try await target.text("messages", "import", file)
                #expect(try await target.text("messages", "export", "--all") == Self.read(file))
                let counts = try await target.json("stats")
                #expect(counts.first?["message_count"] == 1_204)
                // "é" as one scalar and as two scalars are different session ids.
                #expect(counts.first?["conversation_count"] == 5)
            }
        }
    }

    @Test func `one conversation is exported alone, with store times on request`() async throws {
        try await withControl { control, _ in
            try await control.text("messages", "save", "alice", "--id", "m1", "hello")
            try await control.text("messages", "save", "bob", "--id", "m2", "hello")
            let lines = try JSON.lines(try await control.text("messages", "export", "alice"))
            #expect(lines.map { $0["id"] } == ["m1"])
            #expect(lines.first?["conversation_session_id"] == "alice")
            #expect(lines.first?["created_at_microseconds"] == nil)
            let timed = try JSON.lines(try await control.text("messages", "export", "--with-store-times"))
            #expect(timed.allSatisfy { $0["created_at_microseconds"] != nil })
            #expect(try await control.run("messages", "export", "carol").exitCode == 2)
        }
    }

    static let malformed = [
        (#"{"topic": "a", "language": "b", "turns": ["x"]"#, "line 3"),
        (#"{"topic": "a", "language": "b", "turns": "x"}"#, "'turns' must be an array of strings"),
        (#"{"conversation_session_id": "s", "txt": "x"}"#, "unknown field 'txt'"),
        (#"{"conversation_session_id": "s", "text": "\ud800"}"#, "malformed"),
        (#"{"text": "x"}"#, "both missing"), (#"[1]"#, "not a JSON object"),
        (#"{"text": 1, "conversation_id": "c"}"#, "must be a string"),
        (#"{"kind": "conversation", "session_id": "s", "members": ["a"]}"#, "'members' must be an array of objects"),
        (#"{"kind": "conversation", "session_id": "s", "members": [{"name": "a"}]}"#, "'session_id' is missing"),
        (#"{"kind": "conversation", "session_id": "s", "members": [{"id": "a"}]}"#, "unknown field 'id'"),
    ]

    @Test func `a malformed line is reported, and the lines before it are stored`() async throws {
        try await withControl { control, _ in
            for (index, (line, reason)) in Self.malformed.enumerated() {
                let good = #"{"conversation_session_id": "s", "text": "fine \#(index)"}"#
                let result = try await control.run("messages", "import", "-", input: "\(good)\n\n\(line)\n\(good)\n")
                #expect(result.exitCode == 65, "\(line)")
                #expect(result.errorOutput.contains("line 3"), "\(line)")
                #expect(result.errorOutput.contains(reason), "\(line)")
                #expect(try await control.json("stats").first?["message_count"]?.integer == Int64(index + 1))
            }
        }
    }

    @Test func `a line that the daemon rejects is reported`() async throws {
        try await withControl { control, _ in
            let good = #"{"conversation_session_id": "s", "text": "fine"}"#
            let bad = #"{"conversation_id": "no-such-conversation", "text": "lost"}"#
            let result = try await control.run("messages", "import", "-", input: "\(good)\n\(bad)\n")
            #expect(result.exitCode == 2)
            #expect(result.errorOutput.contains("line 2"))
            let long = String(repeating: "x", count: 300)
            let refused = try await control.run(
                "messages", "import", "-", input: #"{"kind": "contact", "session_id": "\#(long)"}"#)
            #expect(refused.exitCode == 65)
            #expect(refused.errorOutput.contains("line 1"))
        }
    }

    /// One dialog is larger than a frame. The last messages of all dialogs, which one list of conversations returns,
    /// are together larger than a frame, too. The frame has 16 MiB, or in a short test run the smallest allowed size.
    @Test func `texts too large for one answer are imported, listed and exported`() async throws {
        let count = TestTier.count(7, long: 17)
        var options = TestDaemonOptions()
        options.environment = ["GHOSTSTORE_LIMITS_FRAME_BYTES_MAX": "\(TestTier.count(6, long: 16) << 20)"]
        try await withDaemon(options) { daemon in
            let control = Control(daemon)
            let turns = (0..<(2 * count - 1)).map { "\"\($0)" + String(repeating: "x", count: 1_000_000) + "\"" }
            func line(_ turns: some Sequence<String>) -> String {
                "{\"topic\": \"t\", \"language\": \"l\", \"turns\": [\(turns.joined(separator: ", "))]}\n"
            }
            let original = ([line(turns.prefix(count))] + turns.dropFirst(count).map { line([$0]) }).joined()
            let file = try daemon.directory.write(Array(original.utf8), to: "large.jsonl")
            try await control.text("messages", "import", file)
            let copy = daemon.directory.file("copy.jsonl")
            try await control.text("messages", "export", "--dialogs", "--output", copy)
            #expect(daemon.directory.read("copy.jsonl") == original)
            #expect(try await control.json("conversations", "list", "--all").count == count)
        }
    }

    @Test func `topics and languages with parentheses are exported as they were imported`() async throws {
        try await withControl { control, _ in
            let lines = #"""
                {"topic": "a (b) \\", "language": "c) (d", "turns": []}
                {"topic": "", "language": "", "turns": ["one", "two", "three"]}
                {"topic": "x ", "language": " y", "turns": [""]}

                """#
            try await control.text("messages", "import", "-", input: lines)
            #expect(try await control.text("messages", "export", "--dialogs") == lines)
            let listed = try await control.json("conversations", "list")
            let renamed = try #require(listed.first?["session_id"]?.text)
            try await control.text("conversations", "update", renamed, "--display-name", "mine")
            #expect(try await control.run("messages", "export", "--dialogs").exitCode == 65)
            try await control.text("messages", "import", "-", input: lines)
            #expect(try await control.text("messages", "export", "--dialogs") == lines)
        }
    }

    @Test func `an existing file is not replaced without --force, and nothing is left on failure`() async throws {
        try await withControl { control, daemon in
            let file = try daemon.directory.write(Array("mine".utf8), to: "kept")
            #expect(try await control.run("messages", "export", "--output", file).exitCode == 73)
            #expect(daemon.directory.read("kept") == "mine")
            #expect(
                try await control.run("messages", "export", "x", "--output", file, "--force").exitCode
                    == 2)
            #expect(daemon.directory.read("kept") == "mine")
            #expect(try await Program.shell("ls '\(daemon.directory.path)' | grep -c kept").output == "1\n")
            try await control.text("messages", "export", "--output", file, "--force")
            #expect(daemon.directory.read("kept").isEmpty)
        }
    }
}
