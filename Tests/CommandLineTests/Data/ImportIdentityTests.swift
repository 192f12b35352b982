import GhostTestSupport
import StoreClient
import TestBasics
import Testing

@testable import ghoststorectl

/// Imports lines without an id, repeatedly.
@Suite struct ImportIdentityTests {
    private static func line(_ text: String, _ more: String = "", conversation: String = "alice") -> String {
        #"{"conversation_session_id": "\#(conversation)", "text": "\#(text)"\#(more)}"#
    }

    private static func time(_ seconds: Int) -> String {
        #", "timestamp_microseconds": \#(seconds)000000"#
    }

    private static let lines = [
        line("hi"), line("hi"), line("hi", #", "is_outgoing": true"#), line("hi", conversation: "bob"),
        line("hi", time(1)), line("hi", time(1)), line("ho", time(1)), line("hi", time(2)),
        line("hi", time(2) + #", "sender_session_id": "carol""#),
    ]

    /// Returns all messages as lines. Equal results mean that nothing changed, because an export does not contain the
    /// times at which the store created the messages.
    private func messages(_ control: Control) async throws -> String {
        try await control.text("messages", "export")
    }

    @Test func `a second import of a file changes nothing, and equal lines are separate messages`() async throws {
        try await withControl { control, _ in
            let file = Self.lines.joined(separator: "\n")
            let first = try await control.json("messages", "import", "-", input: file)
            #expect(first.first?["messages"] == 9 && first.first?["new_messages"] == 9)
            let stored = try await messages(control)
            for _ in 0..<3 {
                let again = try await control.json("messages", "import", "-", input: file)
                #expect(again.first?["messages"] == 9 && again.first?["new_messages"] == 0)
                #expect(try await messages(control) == stored)
            }
            // Additional lines at the end, empty lines and spaces do not change the ids of the other messages.
            let spaced = file.split(separator: "\n").joined(separator: "\n\n")
                .replacing(#""text": "ho""#, with: #""text" :"ho""#)
            let longer = try await control.json("messages", "import", "-", input: spaced + "\n" + Self.line("new"))
            #expect(longer.first?["new_messages"] == 1)
        }
    }

    @Test func `a line with a new status updates its message and adds none`() async throws {
        try await withControl { control, _ in
            let before = Self.line("hi", Self.time(1) + #", "status": "sent", "is_outgoing": true"#)
            let after = Self.line(
                "hi", Self.time(1) + #", "status": "delivered", "is_outgoing": true, "is_read": true"#)
            try await control.text("messages", "import", "-", input: before)
            try await control.text("messages", "import", "-", input: after)
            let found = try await control.json("messages", "list", "alice")
            #expect(found.count == 1 && found.first?["status"] == "delivered" && found.first?["is_read"] == true)
        }
    }

    @Test(arguments: [
        #"{"conversation_session_id": "alice", "txt": "broken"}"#,
        #"{"conversation_id": "no-such-conversation", "text": "broken"}"#, "{",
    ])
    func `correcting a line and importing the file again saves each line once`(_ broken: String) async throws {
        try await withControl { control, _ in
            let good = Self.lines
            func file(_ line: String) -> String {
                (good.prefix(5) + [line] + good.dropFirst(5)).joined(separator: "\n")
            }
            let failed = try await control.run("messages", "import", "-", input: file(broken))
            #expect(failed.exitCode != 0 && failed.errorOutput.contains("line 6: "), "\(failed.errorOutput)")
            #expect(failed.errorOutput.contains("in the store; hint: "), "\(failed.errorOutput)")
            let mended = file(Self.line("mended"))
            try await control.text("messages", "import", "-", input: mended)
            try await control.text("messages", "import", "-", input: mended)
            #expect(try await control.json("stats").first?["message_count"] == 10)
        }
    }

    @Test func `a failed import reports how many lines are stored`() async throws {
        try await withControl { control, _ in
            let many = (0..<1_000).map { Self.line("\($0)") }
            let malformed = try await control.run(
                "messages", "import", "-", input: (many + ["nonsense"]).joined(separator: "\n"))
            #expect(malformed.errorOutput.contains("the 1000 lines before it are in the store"))
            #expect(try await control.json("stats").first?["message_count"] == 1_000)
            let first = try await control.run("messages", "import", "-", input: "[1,\n2]")
            #expect(first.errorOutput.contains("nothing was changed; hint: each line is one object"))
            let contact = #"{"kind": "contact", "session_id": "\#(String(repeating: "x", count: 300))"}"#
            let other = #"{"kind": "contact", "session_id": "c"}"#
            let refused = try await control.run("messages", "import", "-", input: "\(other)\n\(contact)")
            #expect(
                refused.errorOutput.contains("0 messages, 0 conversations and 1 contact are in the store"),
                "\(refused.errorOutput)")
        }
    }

    @Test func `messages with equal times keep the order of the file`() async throws {
        try await withControl { control, _ in
            let lines = (0..<300).map { Self.line("\($0)", Self.time(1)) }
            try await control.text("messages", "import", "-", input: lines.joined(separator: "\n"))
            let found = try await control.json("messages", "list", "alice", "--oldest-first", "--all")
            #expect(found.map { $0["text"]?.text } == (0..<300).map(String.init))
        }
    }

    @Test func `added lines with an equal time come last, and no message is saved twice`() async throws {
        try await withControl { control, _ in
            func lines(_ count: Int) -> [String] {
                (0..<count).flatMap { number in
                    ["alice", "bob"].map { Self.line("\(number)", Self.time(-1), conversation: $0) }
                        + [Self.line("\(number)", Self.time(1 + number % 2))]
                }
            }
            var newCounts: [JSON?] = []
            for count in [40, 40, 60, 60] {
                let file = lines(count).joined(separator: "\n")
                newCounts.append(try await control.json("messages", "import", "-", input: file).first?["new_messages"])
            }
            #expect(newCounts == [120, 0, 60, 0])
            let bob = try await control.json("messages", "list", "bob", "--oldest-first", "--all")
            #expect(bob.map { $0["text"]?.text } == (0..<60).map(String.init))
            let alice = try await control.json("messages", "list", "alice", "--oldest-first", "--all")
            let evenThenOdd = (0..<60).filter { $0 % 2 == 0 } + (0..<60).filter { $0 % 2 == 1 }
            #expect(alice.map { $0["text"]?.text } == ((0..<60) + evenThenOdd).map(String.init))
        }
    }

    @Test func `ids ascend with the time, and with the position among lines with equal times`() throws {
        let times: [Int64] = [.min, -1, 0, 1, 15, 16, 1_795_762_739_000_000, .max]
        let lines = times.flatMap { time in
            (0..<300).map { Self.line("\($0 % 7)", #", "timestamp_microseconds": \#(time)"#) }
        }
        let identities = LineIdentities()
        var ids: [String] = []
        for line in lines {
            var message = try MessageLine.parse(JSONRecord(line: Array(line.utf8)))
            identities.complete(&message)
            ids.append(message.message.id)
        }
        // The ids ascend in the order in which the store compares them: byte by byte.
        #expect(zip(ids, ids.dropFirst()).allSatisfy { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        #expect(ids.allSatisfy { $0.utf8.count <= 128 })
    }

    @Test func `a timer without a start begins when the message is sent`() async throws {
        try await withControl { control, _ in
            try await control.text(
                "messages", "import", "-", input: Self.line("hi", #", "lifetime_milliseconds": 600000"#))
            #expect(try await control.json("messages", "list", "alice").first?["lifetime_from"] == "sending")
        }
    }

    @Test func `a dry run reads every line and needs no daemon`() async throws {
        let run = { (input: String) in
            try await Control.run(
                ["messages", "import", "--dry-run", "-", "--socket", "/none"], input: Array(input.utf8))
        }
        let fine = try await run(Self.lines.joined(separator: "\n"))
        #expect(fine.exitCode == 0 && fine.output.hasPrefix("9 messages, 0 conversations"), "\(fine.errorOutput)")
        #expect(try await run(Self.lines[0] + "\n{").exitCode == 65)
    }

    @Test func `the help names every field of a message`() async throws {
        let help = try await Control.run(["help", "messages", "import"]).output
        for name in MessageLine.names.subtracting(["kind", "created_at_microseconds"]) {
            #expect(help.contains(name), "\(name)")
        }
    }

    @Test func `SHA-256 agrees with the examples of FIPS 180-4`() {
        func hex(_ bytes: [UInt8]) -> String {
            bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        }
        #expect(
            hex(SHA256.hash(Array("abc".utf8)))
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(hex(SHA256.hash([])) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(
            hex(SHA256.hash(Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8)))
                == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
    }
}
