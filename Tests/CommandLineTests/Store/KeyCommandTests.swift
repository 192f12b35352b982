import GhostTestSupport
import StoreClient
import TestBasics
import Testing

@Suite struct KeyCommandTests {
    /// Creates a store whose passphrase is in the file "passphrase", and returns the file's path.
    private func initialize(_ control: Control, _ daemon: TestDaemon) async throws -> String {
        let path = try daemon.directory.write(Array("correct horse\n".utf8), to: "passphrase")
        try await control.text("init", "--passphrase-file", path, "--label", "first", "--low-cost")
        return path
    }

    @Test func `init, lock and unlock with a passphrase file`() async throws {
        try await withUninitializedControl { control, daemon in
            let path = try await initialize(control, daemon)
            #expect(try await control.json("lock").first?["locked"] == true)
            #expect(try await control.json("status").first?["store_state"] == "locked")
            let refused = try await control.run("stats")
            #expect(refused.exitCode == 3)
            #expect(refused.errorOutput.contains("STORE_LOCKED"))
            #expect(try await control.text("unlock", "--passphrase-file", path).contains("the store is open"))
            #expect(try await control.run("init", "--passphrase-file", path, "--low-cost").exitCode == 3)
        }
    }

    @Test func `a passphrase is read from a descriptor, and a wrong one has its own exit status`() async throws {
        try await withUninitializedControl { control, daemon in
            _ = try await initialize(control, daemon)
            try await control.text("lock")
            let wrong = try await control.shell("\"$CTL\" unlock --passphrase-fd 3 3<<< 'wrong'")
            #expect(wrong.exitCode == 5)
            #expect(wrong.errorOutput.contains("WRONG_KEY"))
            try await eventually("the right passphrase opens, once the throttle lets it") {
                try await control.shell("\"$CTL\" unlock --json --passphrase-fd 3 3<<< 'correct horse'").exitCode == 0
            }
        }
    }

    @Test func `many wrong passphrases are throttled, which is a temporary failure`() async throws {
        try await withUninitializedControl { control, daemon in
            _ = try await initialize(control, daemon)
            try await control.text("lock")
            var statuses: [Int32?] = []
            while statuses.count < 20, statuses.last != 75 {
                statuses.append(try await control.shell("\"$CTL\" unlock --passphrase-fd 3 3<<< wrong").exitCode)
            }
            #expect(statuses.last == 75)
            #expect(statuses.dropLast().allSatisfy { $0 == 5 })
        }
    }

    @Test func `a recovery code is shown once and opens the store`() async throws {
        try await withUninitializedControl { control, daemon in
            let path = try daemon.directory.write(Array("correct horse".utf8), to: "passphrase")
            let made = try await control.run(
                "init", "--passphrase-file", path, "--low-cost", "--with-recovery-code")
            #expect(made.exitCode == 0)
            #expect(made.errorOutput.contains("warning: this is the recovery code"))
            let code = made.output.split(separator: "\n").last.map(String.init) ?? ""
            try await control.text("lock")
            let unlocked = try await control.run("unlock", "--recovery-code-file", "-", input: code + "\n")
            #expect(unlocked.exitCode == 0, "\(unlocked.errorOutput)")
        }
    }

    @Test func `a recovery code goes to a new file of mode 0600`() async throws {
        try await withUninitializedControl { control, daemon in
            let path = try daemon.directory.write(Array("correct horse".utf8), to: "passphrase")
            let codePath = daemon.directory.file("code")
            let made = try await control.run(
                "init", "--passphrase-file", path, "--low-cost", "--with-recovery-code", "--recovery-code-output",
                codePath, "--json")
            #expect(made.exitCode == 0)
            #expect(try JSON.lines(made.output) == [.object(["initialized": true])])
            #expect(try await Program.shell("stat -c %a '\(codePath)'").output == "600\n")
            try await control.text("lock")
            try await control.text("unlock", "--recovery-code-file", codePath)
            let again = try await control.run(
                "keys", "add", "--passphrase-file", path, "--new-recovery-code", "--recovery-code-output", codePath)
            #expect(again.exitCode == 73)
        }
    }

    @Test func `slots are added, listed and removed`() async throws {
        try await withUninitializedControl { control, daemon in
            let path = try await initialize(control, daemon)
            let second = try daemon.directory.write(Array("battery staple".utf8), to: "second")
            let added = try await control.json(
                "keys", "add", "--passphrase-file", path, "--new-passphrase-file", second, "--label", "second",
                "--low-cost")
            let slot = try #require(added.first?["slot"]?.integer)
            let keyFile = try await control.json(
                "keys", "add", "--passphrase-file", second, "--new-key-file", daemon.keyFilePath, "--low-cost")
            #expect(keyFile.first?["slot"] != nil)
            #expect(
                try await control.json("keys", "list").map { $0["kind"] } == ["passphrase", "passphrase", "key-file"])
            #expect(try await control.text("keys", "list").contains("second"))
            try await control.text("keys", "remove", "\(slot)", "--passphrase-file", path)
            #expect(try await control.json("keys", "list").count == 2)
            #expect(try await control.run("keys", "remove", "99", "--passphrase-file", path).exitCode == 2)
            let last = try #require(try await control.json("keys", "list").first?["slot"]?.integer)
            let refused = try await control.run("keys", "remove", "\(last)", "--passphrase-file", path)
            #expect(refused.exitCode == 3)
            #expect(refused.errorOutput.contains("LAST_KEY_SLOT"))
            try await control.text("lock")
            try await control.text("unlock", "--key-file", daemon.keyFilePath)
        }
    }

    /// The slot of the configured key file is removed only after a confirmation. `doctor` then reports the missing
    /// slot, before the next start of the daemon fails to open the store.
    @Test func `the slot of the configured key is removed only after a confirmation`() async throws {
        var options = TestDaemonOptions.uninitialized
        (options.usesKeyFile, options.createsStore) = (true, true)
        try await withDaemon(options) { daemon in
            let control = Control(daemon)
            let passphrase = try daemon.directory.write(Array("battery staple".utf8), to: "second")
            let key = daemon.keyFilePath
            try await control.text(
                "keys", "add", "--key-file", key, "--new-passphrase-file", passphrase, "--low-cost")
            #expect(try await control.json("keys", "list").map { $0["is_configured"] } == [true, false])
            #expect(try await control.text("keys", "list").contains("at start"))
            let config = try daemon.directory.write(
                Array("state_directory: \(daemon.stateDirectory)\nkey_file: \(key)\n".utf8), to: "c.yaml")
            func doctor() async throws -> [JSON] {
                try JSON.lines(try await control.run("doctor", "--config", config, "--json").output)
                    .filter { $0["check"] == "key-file" && $0["text"]?.text?.contains("key slot") == true }
            }
            #expect(try await doctor().isEmpty)

            let unasked = try await control.shell("setsid -w \"$CTL\" keys remove 1 --key-file '\(key)'")
            #expect(unasked.exitCode == 64 && unasked.errorOutput.contains("hint: with --yes"), "\(unasked)")
            let declined = try await control.onTerminal("keys remove 1 --key-file '\(key)'", [("Type ", "no\\n")])
            #expect(
                declined.exitCode == 6 && declined.output.contains("opens the store with key slot 1"), "\(declined)")
            // The daemon rejects the call of a client that does not set `evenIfConfigured`.
            let refused = try await daemon.connect()
            let error = await #expect(throws: StoreClientError.self) {
                try await refused.removeKeySlot(1, authorizedBy: SecretInput(kind: .passphrase, file: passphrase))
            }
            #expect(error?.reason == .keySlotConfigured)
            await refused.close()
            #expect(try await control.json("keys", "list").count == 2)

            try await control.text("keys", "remove", "1", "--passphrase-file", passphrase, "--yes")
            let found = try #require(try await doctor().first)
            #expect(found["state"] == "problem" && found["text"]?.text?.contains("(state wrong-key)") == true)
            #expect(found["command"]?.text == "ghoststorectl keys add --new-key-file \(key)")
            try await control.text(
                "keys", "add", "--passphrase-file", passphrase, "--new-key-file", key, "--low-cost")
            #expect(try await doctor().isEmpty)
            try await daemon.restart()
            #expect(try await control.json("status").first?["store_state"] == "open")
        }
    }

    @Test func `a slot above the limit has the status of a failed precondition`() async throws {
        try await withUninitializedControl { control, daemon in
            let path = try await initialize(control, daemon)
            func add(_ number: UInt8) async throws -> ProgramResult {
                let key = try daemon.directory.write([UInt8](repeating: number, count: 32), to: "key-\(number)")
                return try await control.run("keys", "add", "--passphrase-file", path, "--new-key-file", key)
            }
            for number in 2...16 as ClosedRange<UInt8> {
                #expect(try await add(number).exitCode == 0)
            }
            let full = try await add(17)
            #expect(full.exitCode == 3 && full.errorOutput.contains("KEY_SLOTS_FULL"), "\(full.errorOutput)")
        }
    }

    @Test func `a credential opens the store with the slot that was added for it`() async throws {
        try await withUninitializedControl { control, daemon in
            let path = try await initialize(control, daemon)
            let key = String(repeating: "k", count: 32)
            let credential = try daemon.directory.write(Array(key.utf8), to: "ghoststore-key")
            try await control.text("keys", "add", "--passphrase-file", path, "--new-credential", credential)
            #expect(try await control.json("keys", "list").map { $0["kind"] } == ["passphrase", "credential"])
            // The service manager passes credentials in a directory, and the path of this directory in an environment
            // variable.
            try await daemon.terminate()
            var options = TestDaemonOptions.uninitialized
            options.environment["CREDENTIALS_DIRECTORY"] = daemon.directory.path
            try await daemon.startAgain(options)
            #expect(try await control.json("status").first?["store_state"] == "open")
        }
    }

    @Test func `a recovery code that cannot be written has the status of a failed output`() async throws {
        try await withUninitializedControl { control, daemon in
            let path = try daemon.directory.write(Array("correct horse".utf8), to: "passphrase")
            // With a file size limit of 0, every write to a file fails (EFBIG). The output goes through a pipe.
            let script = """
                (trap '' XFSZ; ulimit -f 0
                  exec "$CTL" init --passphrase-file '\(path)' --low-cost --with-recovery-code \
                    --recovery-code-output '\(daemon.directory.file("code"))') 2>&1 | cat
                exit ${PIPESTATUS[0]}
                """
            let result = try await control.shell(script)
            #expect(result.exitCode == 74, "\(result.output)")
            #expect(result.output.contains("keys add --new-recovery-code"))
        }
    }

    @Test func `a changed passphrase replaces the old one`() async throws {
        try await withUninitializedControl { control, daemon in
            let path = try await initialize(control, daemon)
            let new = try daemon.directory.write(Array("battery staple".utf8), to: "new")
            try await control.text(
                "keys", "change-passphrase", "--passphrase-file", path, "--new-passphrase-file", new, "--low-cost")
            try await control.text("lock")
            try await control.text("unlock", "--passphrase-file", new)
            try await control.text("lock")
            #expect(try await control.run("unlock", "--passphrase-file", path).exitCode == 5)
        }
    }

    @Test func `rotation keeps the data and the slots`() async throws {
        try await withUninitializedControl { control, daemon in
            let path = try await initialize(control, daemon)
            try await control.text("messages", "save", "alice", "--id", "m1", "hello")
            #expect(try await control.json("keys", "rotate").first?["generation"] != nil)
            #expect(try await control.text("keys", "rotate").contains("new master key"))
            try await control.text("lock")
            try await control.text("unlock", "--passphrase-file", path)
            #expect(try await control.json("messages", "get", "m1").first?["text"] == "hello")
        }
    }

    @Test func `a secret file that other users can read causes a warning`() async throws {
        try await withUninitializedControl { control, daemon in
            let path = try await initialize(control, daemon)
            try await control.text("lock")
            _ = try await Program.shell("chmod 644 '\(path)'")
            let result = try await control.run("unlock", "--passphrase-file", path)
            #expect(result.exitCode == 0)
            #expect(result.errorOutput.contains("other users may read"))
        }
    }
}
