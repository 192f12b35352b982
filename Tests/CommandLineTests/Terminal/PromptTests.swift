import GhostTestSupport
import Glibc
import TestBasics
import Testing

/// Prompts on a pseudo-terminal. The tests type only after the prompt has appeared.
@Suite struct PromptTests {
    @Test func `a new passphrase is requested twice and never shown`() async throws {
        try await withUninitializedControl { control, _ in
            let made = try await control.onTerminal(
                "init --low-cost",
                [("New passphrase: ", "sesame street\\n"), ("New passphrase again: ", "sesame street\\n")])
            #expect(made.exitCode == 0, "\(made.output)")
            #expect(!made.output.contains("sesame"))
            #expect(made.output.contains("the store is created and open"))
            try await control.text("lock")
            let opened = try await control.onTerminal(
                "unlock", [("Passphrase: ", "sesame street\\n")])
            #expect(opened.exitCode == 0, "\(opened.output)")
            #expect(!opened.output.contains("sesame"))
        }
    }

    @Test func `two different passphrases change nothing`() async throws {
        try await withUninitializedControl { control, _ in
            let refused = try await control.onTerminal(
                "init --low-cost", [("New passphrase: ", "one of two\\n"), ("New passphrase again: ", "two of two\\n")])
            #expect(refused.exitCode == 65)
            #expect(refused.output.contains("differ"))
            #expect(try await control.json("status").first?["store_state"] == "absent")
        }
    }

    @Test func `an interrupted prompt restores the echo`() async throws {
        try await withUninitializedControl { control, _ in
            let result = try await control.onTerminal(
                "init; stty -a; true", [("New passphrase: ", "\\003")])
            #expect(result.output.contains(" echo "), "\(result.output)")
            #expect(!result.output.contains(" -echo "))
        }
    }

    @Test func `without a terminal an error names the options that replace the prompt`() async throws {
        try await withUninitializedControl { control, daemon in
            let key = daemon.keyFilePath
            let fromFile = "--passphrase-file or --passphrase-fd"
            let asked = try await control.shell("setsid -w \"$CTL\" init")
            #expect(asked.exitCode == 64 && asked.errorOutput.contains("hint: give it with \(fromFile)"))
            try await control.text("init", "--low-cost", "--key-file", key)
            try await control.text("lock")
            let asking = [
                ("unlock", fromFile), ("unlock --recovery-code", "--recovery-code-file"),
                ("keys add --key-file '\(key)'", "--new-passphrase-file or --new-passphrase-fd"),
                ("keys remove 1", "--passphrase-file"), ("keys change-passphrase", "--passphrase-file"),
                ("backup verify name --ask", "--passphrase-file"),
                ("blobs export alice /dev/null --passphrase", "--passphrase-file"),
            ]
            for (command, options) in asking {
                let result = try await control.shell("setsid -w \"$CTL\" \(command)")
                #expect(result.exitCode == 64, "\(command)")
                #expect(result.errorOutput.contains("hint: give it with \(options)"), "\(result.errorOutput)")
            }
        }
    }

    @Test func `inspecting a sealed file asks for its passphrase`() async throws {
        try await withControl { control, daemon in
            let sealed = daemon.directory.file("sealed")
            let passphrase = try daemon.directory.write(Array("sesame street".utf8), to: "passphrase")
            try await control.text("messages", "save", "alice", "hello")
            try await control.text("blobs", "export", "alice", sealed, "--passphrase-file", passphrase)
            let inspected = try await control.onTerminal(
                "blobs inspect '\(sealed)' --passphrase --json",
                [("Passphrase of the file: ", "sesame street\\n")])
            #expect(inspected.exitCode == 0, "\(inspected.output)")
            #expect(inspected.output.contains("\"messages\": 1"))
        }
    }

    @Test func `clearing all data is confirmed on the terminal`() async throws {
        try await withControl { control, _ in
            try await control.text("messages", "save", "alice", "hello")
            let kept = try await control.onTerminal(
                "clear-all-data", [("Type ", "yes\\n")])
            #expect(kept.exitCode == 6 && kept.output.contains("nothing was changed"), "\(kept.output)")
            let unasked = try await control.shell("setsid -w \"$CTL\" clear-all-data")
            #expect(unasked.exitCode == 64 && unasked.errorOutput.contains("hint: with --yes"))
            #expect(try await control.json("stats").first?["message_count"] == 1)
            let cleared = try await control.onTerminal(
                "clear-all-data", [("Type ", "clear all data\\n")])
            #expect(cleared.exitCode == 0, "\(cleared.output)")
            #expect(cleared.output.contains("message (1)"))
            #expect(
                cleared.output.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(
                    "every scene, log and file?"))
            #expect(try await control.json("stats").first?["message_count"] == 0)
        }
    }

    @Test func `a wrong passphrase is requested again, three times in all`() async throws {
        try await withUninitializedControl { control, daemon in
            let file = try daemon.directory.write(Array("sesame street".utf8), to: "passphrase")
            try await control.text("init", "--low-cost", "--passphrase-file", file)
            try await control.text("lock")
            let opened = try await control.onTerminal(
                "unlock", [("Passphrase: ", "sesame stret\\n"), ("Passphrase: ", "sesame street\\n")])
            #expect(opened.exitCode == 0, "\(opened.output)")
            #expect(opened.output.contains("try again"))
            try await control.text("lock")
            let refused = try await control.onTerminal(
                "unlock",
                [
                    ("Passphrase: ", "wrong one\\n"), ("Passphrase: ", "wrong two\\n"),
                    ("Passphrase: ", "wrong three\\n"),
                ])
            #expect(refused.exitCode == 5 || refused.exitCode == 75, "\(refused.output)")
            // With a passphrase from a file, the command tries only once.
            let wrong = try daemon.directory.write(Array("wrong".utf8), to: "wrong")
            let once = try await control.run("unlock", "--passphrase-file", wrong)
            #expect(!once.errorOutput.contains("store; try again"))
        }
    }

    @Test func `no secret is requested that the command cannot use`() async throws {
        try await withUninitializedControl { control, _ in
            let absent = try await control.onTerminal("unlock", [])
            #expect(absent.exitCode == 3 && absent.output.contains("there is no store yet"), "\(absent.output)")
        }
        try await withControl { control, daemon in
            let before = try await control.json("keys", "list")
            for state in ["open", "locked"] {
                let made = try await control.onTerminal("init", [])
                #expect(made.exitCode == 3 && made.output.contains("there is a store already"), "\(made.output)")
                #expect(!made.output.contains("New passphrase"), "\(state)")
                try await control.text("lock")
            }
            #expect(try await control.json("keys", "list") == before)
        }
    }

    @Test(.enabled(if: getuid() == 0, "only root may run programs as other users"))
    func `init without the right requests no secret, and names the users with the right`() async throws {
        try await withUninitializedControl { control, daemon in
            let secret = try daemon.directory.write(Array("correct horse".utf8), to: "secret")
            try #require(chmod(secret, 0o644) == 0 && chmod(daemon.socketPath, 0o666) == 0)
            let other = try await OtherUsers(daemon)
            let refused = try await other.run(
                65_534, group: 65_534, ["init", "--low-cost", "--passphrase-file", secret])
            #expect(refused.exitCode == 77, "\(refused)")
            #expect(
                refused.errorOutput.contains(
                    "hint: root and the daemon's own user may: sudo ghoststorectl init --socket "),
                "\(refused.errorOutput)")
            // The command would have printed this warning if it had read the file.
            #expect(!refused.errorOutput.contains("other users may read"), "\(refused.errorOutput)")
        }
    }

    @Test func `unlock of an open store succeeds without a question`() async throws {
        try await withControl { control, _ in
            let opened = try await control.onTerminal("unlock", [])
            #expect(opened.exitCode == 0 && opened.output.contains("open already"), "\(opened.output)")
            #expect(!opened.output.contains("Passphrase"))
            #expect(try await control.json("unlock").first?["was_open"] == true)
        }
    }

    @Test func `a short passphrase is rejected at a prompt, and causes a warning in a file`() async throws {
        try await withUninitializedControl { control, daemon in
            let refused = try await control.onTerminal(
                "init --low-cost",
                [("New passphrase: ", "one\\n"), ("New passphrase: ", "two\\n"), ("New passphrase: ", "x\\n")])
            #expect(refused.exitCode == 65 && refused.output.contains("at least 8 bytes"), "\(refused.output)")
            #expect(try await control.json("status").first?["store_state"] == "absent")
            let file = try daemon.directory.write(Array("abc".utf8), to: "passphrase")
            let made = try await control.run("init", "--low-cost", "--passphrase-file", file)
            #expect(made.exitCode == 0 && made.errorOutput.contains("warning: the passphrase"), "\(made.errorOutput)")
        }
    }

    @Test func `deleting a conversation asks on a terminal, and reports how much was deleted`() async throws {
        try await withControl { control, _ in
            try await control.text("messages", "save", "alice", "hello")
            try await control.text("messages", "save", "alice", "again")
            let kept = try await control.onTerminal("conversations delete alice", [("2 messages", "no\\n")])
            #expect(kept.exitCode == 6, "\(kept.output)")
            #expect(try await control.json("stats").first?["message_count"] == 2)
            let gone = try await control.onTerminal("conversations delete alice", [("2 messages", "delete\\n")])
            #expect(gone.exitCode == 0, "\(gone.output)")
            try await control.text("messages", "save", "bob", "hello")
            let said = try await control.text("conversations", "delete", "bob", "--yes")
            #expect(said.contains("its 1 message at revision"))
        }
    }

    @Test func `every question fits the terminal, even with long names`() async throws {
        try await withControl { control, _ in
            let name = "05" + String(repeating: "0123456789abcdef", count: 15)
            try await control.text("messages", "save", name, "hello")
            for command in ["clear-all-data", "conversations delete \(name)"] {
                for columns in [40, 80] {
                    let asked = try await control.onTerminal(
                        "\(command); stty size", columns: columns, [("Type ", "no\\n")])
                    #expect(asked.output.contains("\(columns)"), "\(asked.output)")
                    for line in asked.output.split(whereSeparator: \.isNewline) where !line.contains("ghoststorectl: ")
                    {
                        #expect(line.count <= columns, "\(line)")
                    }
                }
            }
        }
    }
}
