import FoundationEssentials
import GhostTestSupport
import TestBasics
import Testing

/// `-` in place of a content or a file.
@Suite struct StandardInputTests {
    @Test func `a dash means standard input in every option and operand for content`() async throws {
        try await withControl { control, daemon in
            let text = "two\nlines\n"
            try await control.text("messages", "save", "alice", "--id", "m1", "-", input: text)
            try await control.text("messages", "save", "alice", "--id", "m2", "x")
            try await control.text("messages", "edit", "m2", "-", input: text)
            for id in ["m1", "m2"] {
                #expect(try await control.json("messages", "get", id).first?["text"]?.text == text)
            }
            try await control.text("contacts", "save", "bob", "--notes", "-", input: text)
            #expect(try await control.json("contacts", "get", "bob").first?["notes"]?.text == text)
            try await control.text("contacts", "save", "bob", "--avatar-file", "-", input: "avatar")
            let avatar = try await control.json("contacts", "get", "bob", "--avatar").first?["avatar"]?.text
            #expect(avatar == Data("avatar".utf8).base64EncodedString())

            try await control.text("logs", "open", "events", "--maximum-bytes", "1MiB")
            try await control.text("logs", "append", "events", "one", "-", input: text)
            #expect(try await control.json("logs", "read", "events").map { $0["text"]?.text } == ["one", text])
            let log = daemon.directory.file("events.cache")
            try await control.text("logs", "export", "events", log)
            let imported = try await control.shell("\"$CTL\" logs import copy - < '\(log)'")
            #expect(imported.output == "imported 2 messages\n", "\(imported.errorOutput)")

            let pong = try await control.text("rpc", "-", input: #"{"ping": {}}"#)
            #expect(pong.contains("\"ping\""), "\(pong)")
            try await control.text("messages", "import", "-", input: #"{"conversation_session_id": "c", "text": "t"}"#)
            try await control.text("backup", "create", "--output", daemon.directory.file("copy"))
            let upload = "\"$CTL\" backup upload -"
            #expect(try await control.shell("\(upload) < '\(daemon.directory.file("copy"))'").exitCode == 0)
            let piped = try await control.shell("cat '\(daemon.directory.file("copy"))' | \(upload)")
            #expect(piped.exitCode == 66 && piped.errorOutput.contains("do not use a pipe"), "\(piped.errorOutput)")
        }
    }

    @Test func `a scene's value of any type can be read from standard input`() async throws {
        try await withControl { control, _ in
            let values = [
                ("string", "text\n", "text\n\n"), ("integer", " -7\n", "-7\n"), ("boolean", "true\n", "true\n"),
                ("json", "{\"a\":\n [1]}\n", "{\"a\": [1]}\n"),
                ("url", "https://example.org/\n", "https://example.org/\n"),
                ("data", "\u{0}plain\n", "\u{0}plain\n"),
            ]
            for (type, input, shown) in values {
                try await control.text("scenes", "set", "main", type, "-", "--type", type, input: input)
                #expect(try await control.text("scenes", "get", "main", type, "--raw") == shown, "\(type)")
            }
            let both = try await control.run("scenes", "set", "main", "a", "-", "b", "-", input: "x")
            #expect(both.exitCode == 64 && both.errorOutput.contains("give '-' only once"), "\(both.errorOutput)")
            #expect(try await control.run("scenes", "get", "main", "a").exitCode == 2)
        }
    }

    @Test func `a dash also means standard input or output for secrets and recovery codes`() async throws {
        try await withUninitializedControl { control, daemon in
            let made = try await control.run(
                "init", "--low-cost", "--passphrase-file", "-", "--with-recovery-code", "--recovery-code-output", "-",
                input: "sesame street\n")
            #expect(made.exitCode == 0, "\(made.errorOutput)")
            let code = String(try #require(made.output.split(separator: "\n").last))
            for (option, secret) in [("--passphrase-file", "sesame street"), ("--recovery-code-file", code)] {
                try await control.text("lock")
                try await control.text("unlock", option, "-", input: secret + "\n")
            }
            let keyFile = String(repeating: "k", count: 32)
            let old = try daemon.directory.write(Array("sesame street".utf8), to: "old")
            try await control.text("keys", "add", "--passphrase-file", old, "--new-key-file", "-", input: keyFile)
            try await control.text("lock")
            try await control.text("unlock", "--key-file", "-", input: keyFile)
            let twice = try await control.run(
                "keys", "add", "--key-file", "-", "--new-passphrase-file", "-", input: keyFile)
            #expect(twice.exitCode == 64 && twice.errorOutput.contains("give '-' only once"), "\(twice.errorOutput)")
        }
    }

    @Test func `help explains the dash for every file`() async throws {
        let files = try await CommandTree.whole().flatMap { path, command in
            (command.arguments ?? []).filter { $0.completionKind?.isFile == true && $0.title != "--socket" }
                .map { (path, $0) }
        }
        #expect(files.count > 30)
        for (path, argument) in files {
            #expect(argument.abstract?.contains("'-'") == true, "\(path) \(argument.title)")
        }
    }

    @Test(arguments: [["blobs", "import", "alice", "-"], ["blobs", "inspect", "-"]])
    func `a message file cannot be standard input, because it is read twice`(_ words: [String]) async throws {
        try await withControl { control, _ in
            let result = try await control.run(words)
            #expect(result.exitCode == 64 && result.errorOutput.contains("hint: give a file"), "\(result.errorOutput)")
        }
    }
}
