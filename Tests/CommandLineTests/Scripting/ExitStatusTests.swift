import FoundationEssentials
import GhostTestSupport
import Glibc
import TestBasics
import Testing

@Suite struct ExitStatusTests {
    @Test func `an absent daemon has the status unavailable`() async throws {
        let directory = try TemporaryDirectory()
        let result = try await Control.run(["status", "--socket", directory.file("none")])
        #expect(result.exitCode == 69)
        #expect(result.errorOutput.contains("hint: start ghoststored"))
        #expect(result.output.isEmpty)
    }

    @Test(arguments: [
        ["no-such-command"], ["messages", "get"], ["status", "--no-such-option"], ["status", "--timeout", "0"],
        ["messages", "list", "a", "--limit", "0"], ["unlock", "--passphrase-file", "a", "--key-file", "b"],
        ["messages", "save", "text"], ["messages", "list", "a", "--from", "someday"],
    ])
    func `a wrong command line has the status of a usage error`(_ arguments: [String]) async throws {
        let result = try await Control.run(arguments)
        #expect(result.exitCode == 64)
        #expect(result.output.isEmpty)
    }

    static let fileFailures: [([String], Int32)] = [
        (["messages", "import", "/no/such/file"], 66), (["messages", "import", "/"], 66),
        (["keys", "remove", "1", "--yes", "--passphrase-file", "/no/such/file"], 66),
        (["messages", "export", "--output", "/no/such/directory/file"], 73),
    ]

    @Test func `a file that cannot be read and one that cannot be created have different statuses`() async throws {
        try await withControl { control, _ in
            for (arguments, status) in Self.fileFailures {
                let result = try await control.run(arguments)
                #expect(result.exitCode == status, "\(arguments): \(result.errorOutput)")
            }
        }
    }

    @Test func `a daemon that does not answer in time is a temporary failure`() async throws {
        let directory = try TemporaryDirectory()
        let script = """
            socat UNIX-LISTEN:'\(directory.file("mute"))' SYSTEM:'sleep 20' & peer=$!
            until [ -S '\(directory.file("mute"))' ]; do sleep 0.01; done
            "$CTL" status --timeout 1 --socket '\(directory.file("mute"))'; status=$?
            kill $peer; exit $status
            """
        let start = ContinuousClock.now
        let result = try await Program.shell(script, environment: ["CTL": Control.path])
        #expect(result.exitCode == 75, "\(result.errorOutput)")
        // The call only reads, so the message does not say that it may have taken effect.
        #expect(result.errorOutput.contains("the deadline passed") && !result.errorOutput.contains("effect"))
        #expect(ContinuousClock.now - start < .seconds(10))
    }

    @Test(.enabled(if: getuid() == 0 && access("/usr/bin/setpriv", X_OK) == 0, "needs root and setpriv"))
    func `a socket that this user may not open has the status of a missing permission`() async throws {
        var options = TestDaemonOptions()
        options.environment = ["GHOSTSTORE_CONNECT_GROUP": "0"]
        try await withDaemon(options) { daemon in
            let control = Control(daemon)
            // The program is copied to a folder in which the other user may run it.
            let script = """
                cp "$CTL" '\(daemon.directory.path)/ctl' && chmod 755 '\(daemon.directory.path)' \
                '\(daemon.directory.path)/ctl'
                setpriv --reuid 65534 --regid 65534 --clear-groups '\(daemon.directory.path)/ctl' status
                """
            let result = try await control.shell(script)
            #expect(result.exitCode == 77, "\(result.errorOutput)")
        }
    }

    @Test func `the program ends without a message if the reader of its output goes away`() async throws {
        try await withControl { control, _ in
            let sample = "\(BuiltPrograms.packageDirectory)/Tests/Fixtures/dialogs-sample.jsonl"
            for _ in 0..<3 {
                try await control.text("messages", "import", sample)
            }
            let script = "\"$CTL\" messages export | (exec 0<&-; sleep 0.3); echo ${PIPESTATUS[0]}"
            let result = try await control.shell(script)
            #expect(result.output == "141\n")
            #expect(result.errorOutput.isEmpty)
        }
    }

    @Test func `help and documentation list the same statuses`() async throws {
        let help = try await Control.run(["--help"], environment: ["COLUMNS": "200"])
        #expect(help.exitCode == 0)
        let path = "\(BuiltPrograms.packageDirectory)/docs/cli.md"
        let page = String(decoding: try #require(FileManager.default.contents(atPath: path)), as: UTF8.self)
        let table = page.split(separator: "\n").compactMap { line -> String? in
            let cells = line.split(separator: "|").map { $0.trimmingPrefix(while: \.isWhitespace) }
            guard cells.count >= 2, let number = Int(String(cells[0]).filter { !$0.isWhitespace }) else { return nil }
            return "\(number) \(cells[1])".filter { !$0.isWhitespace }
        }
        let words = help.output.filter { !$0.isWhitespace }
        #expect(table.count == 20)
        for row in table {
            #expect(words.contains(row), "\(row)")
        }
    }

    @Test func `an answer that is too large has the status of bad data, not of a temporary failure`() async throws {
        try await withControl { control, _ in
            // 150 values of 120,000 bytes are larger than a frame. 15 of them are not.
            let value = String(repeating: "x", count: 120_000)
            let keys = (0..<150).map { "k\($0)" }
            for start in stride(from: 0, to: keys.count, by: 15) {
                let pairs = keys[start..<(start + 15)].flatMap { [$0, value] }
                let set = try await control.run(["scenes", "set", "main"] + pairs)
                try #require(set.exitCode == 0, "\(set.errorOutput)")
            }
            let result = try await control.run(["scenes", "get", "main"] + keys)
            #expect(result.exitCode == 65 && result.errorOutput.contains("RESPONSE_TOO_LARGE"), "\(result.errorOutput)")
        }
    }

    @Test func `a request that is too large has the status of bad data, not of a temporary failure`() async throws {
        try await withControl { control, _ in
            let result = try await control.run("messages", "get", String(repeating: "m", count: 20_000))
            #expect(result.exitCode == 65 && result.errorOutput.contains("REQUEST_TOO_LARGE"), "\(result.errorOutput)")
        }
    }

    @Test func `a backup above the limit has the status of a failed precondition`() async throws {
        try await withControl { control, _ in
            let upload = String(repeating: #"{"beginBackupUpload": {"totalBytes": 100000}}"# + "\n", count: 64)
            try await control.text("rpc", input: upload)
            let result = try await control.run("backup", "create")
            #expect(result.exitCode == 3 && result.errorOutput.contains("TOO_MANY_BACKUPS"), "\(result.errorOutput)")
        }
    }

    @Test func `every command is documented`() async throws {
        let path = "\(BuiltPrograms.packageDirectory)/docs/cli.md"
        let page = String(decoding: try #require(FileManager.default.contents(atPath: path)), as: UTF8.self)
        let names = try await CommandTree.leaves()
        #expect(names.count > 45)
        for name in names where !name.contains("help") {
            #expect(page.contains("`\(name)"), "docs/cli.md does not tell of '\(name)'")
        }
    }
}
