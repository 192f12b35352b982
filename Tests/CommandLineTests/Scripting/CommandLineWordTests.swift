import GhostTestSupport
import TestBasics
import Testing

/// The words that a command line accepts, and the error messages for other words.
@Suite struct CommandLineWordTests {
    @Test func `common options can be before or after a command`() async throws {
        try await withControl { control, _ in
            let socket = control.socketPath
            for words in [
                ["--socket", socket, "--json", "status"], ["status", "--json", "--socket", socket],
                ["--json", "messages", "list", "alice", "--socket=\(socket)"], ["--timeout", "2.5", "--json", "stats"],
            ] {
                if words[0] == "--json" {
                    try await control.text("messages", "save", "alice", "hi")
                }
                let result = try await Control.run(
                    words, environment: ["GHOSTSTORE_SOCKET": words.contains("stats") ? socket : "/none"])
                #expect(result.exitCode == 0 && result.output.hasPrefix("{"), "\(words): \(result.errorOutput)")
            }
        }
    }

    static let causes: [([String], String)] = [
        (
            ["conversations", "update", "S", "--name", "X", "--pin"],
            "unknown option '--name'; hint: did you mean '--display-name'?"
        ),
        (["conversations", "update", "S", "--pin"], "unknown option '--pin'; hint: did you mean '--pinned'?"),
        (["messages", "save", "S", "-5"], "unknown option '-5'; hint: put a text that begins with '-' after '--'"),
        (["conversations", "update", "S"], "no change is given"),
        (["messages", "nope", "--json"], "unknown command 'nope'"),
        (["mesages", "list"], "unknown command 'mesages'; hint: did you mean 'messages'?"),
        (["backup", "verify", "--fil", "x"], "unknown option '--fil'; hint: did you mean '--file'?"),
        (["backup", "verify"], "name a backup or give --file"), (["backup", "prune"], "--keep-last"),
        (["messages", "--json"], "; hint: ghoststorectl help messages"),
        (["help", "nosuch"], "unknown command 'nosuch'"), (["help", "messages", "lst"], "did you mean 'list'?"),
        (["messages", "get"], "missing expected argument"),
        (["messages", "status", "a", "b"], "one of pending, sent"),
        (["status", "--timeout", "0"], "'--timeout <seconds>'; hint: end a call after this many seconds"),
        (
            ["logs", "open", "l", "--maximum-bytes", "1XB"],
            "'--maximum-bytes <size>'; hint: size limit of the log: bytes, or with a unit: 64KiB, 1MiB, 2GiB (powers"
        ),
        (
            ["messages", "list", "a", "--from", "9x"],
            "'--from <time>'; hint: only messages at or after this time: 2026-11-21T03:54:01Z, 2026-11-21 03:54 (local"
        ),
        (
            ["messages", "save", "a", "b", "--time"],
            "missing value for '--time <time>'; hint: time of the message (default: now): 2026-"
        ),
        (["watch", "--kind", "x"], "; hint: one of conversation, message, contact"),
        (["watch", "--after", "x"], "; hint: first print the recorded changes after this revision"),
    ]

    /// Tries one invalid value for every option that validates its value.
    @Test func `an error about an invalid value of an option names the valid ones`() async throws {
        var refused: Set<String> = []
        for (option, command) in try await CommandTree.optionsWithValue() {
            let words = command + ["--socket", "/none", "--\(option)", "!"]
            let result = try await Control.run(words)
            let line = result.errorOutput
            guard line.contains("is invalid for '--\(option)") else { continue }
            refused.insert(option)
            #expect(result.exitCode == 64 && line.split(separator: "\n").count == 1, "\(words): \(line)")
            #expect(line.contains("; hint: "), "\(words): \(line)")
            #expect(!line.contains(".;") && !line.hasSuffix(".\n"), "\(words): \(line)")
        }
        #expect(
            refused.isSuperset(of: ["from", "time", "maximum-bytes", "status", "limit", "history"]))
    }

    @Test(arguments: causes)
    func `an error about a command line names the cause in one line`(_ words: [String], _ cause: String) async throws {
        let result = try await Control.run(words)
        #expect(result.exitCode == 64 && result.output.isEmpty)
        #expect(result.errorOutput.contains(cause), "\(result.errorOutput)")
        let isOneLine = result.errorOutput.split(separator: "\n").count == 1
        let isJSON = words.contains("--json")
        #expect(isOneLine && (isJSON || result.errorOutput.hasPrefix("ghoststorectl: ")), "\(result.errorOutput)")
    }

    /// The output is the list of commands without options and exit codes, followed by the reason why nothing was done.
    @Test(arguments: [([], "  doctor "), (["messages"], "  follow ")])
    func `a command line without a command prints its commands`(_ words: [String], _ command: String) async throws {
        let result = try await Control.run(words)
        #expect(result.exitCode == 64 && result.output.isEmpty)
        let lines = result.errorOutput.split(separator: "\n").map(String.init)
        #expect(lines[0].hasPrefix("USAGE: ghoststorectl") && lines.contains { $0.hasPrefix(command) }, "\(lines)")
        #expect(!lines.contains("OPTIONS:") && !lines.contains("EXIT STATUS:"))
        let help = (["ghoststorectl", "help"] + words).joined(separator: " ")
        #expect(lines.last == "ghoststorectl: a command is missing; hint: \(help)")
    }

    @Test func `a call without arguments shows the most used commands and every group`() async throws {
        let result = try await Control.run([], environment: ["COLUMNS": "80"])
        let parts = result.errorOutput.split(separator: "\n\n").map { $0.split(separator: "\n").map(String.init) }
        try #require(parts.count == 4)
        #expect(parts.joined().allSatisfy { $0.count <= 80 }, "\(parts)")
        #expect(parts[1][0] == "MOST USED COMMANDS:" && parts[1].count == 11, "\(parts[1])")
        let tree = try await CommandTree.whole()
        let known = Set(tree.map { $0.path.joined(separator: " ") })
        for line in parts[1].dropFirst() {
            let name = try #require(line.firstMatch(of: /^  ([a-z]+(?: [a-z]+)?)  +[A-Z].*\.$/)).1
            #expect(known.contains(String(name)), "\(line)")
        }
        let listed = Set(parts[2].dropFirst().joined(separator: " ").split { " ,".contains($0) }.map(String.init))
        let first = tree.filter { $0.path.count == 1 && $0.command.shouldDisplay }.map { $0.path[0] }
        #expect(parts[2][0] == "GROUPS OF COMMANDS:" && listed.isSuperset(of: Set(first).subtracting(["help"])))
        #expect(parts[3][0] == "READ ON:" && parts[3].contains { $0.hasPrefix("  ghoststorectl --help ") })
    }

    @Test func `help has the commands before the options, and the exit codes at the end`() async throws {
        let help = try await Control.run(["--help"], environment: ["COLUMNS": "80"]).output
        let headings = help.split(separator: "\n").map(String.init).filter { $0.contains(/^[A-Z][A-Z, ]+:/) }
            .map { String($0.prefix { $0 != ":" }) }
        #expect(headings.first == "OVERVIEW" && headings.dropFirst().first == "USAGE", "\(headings)")
        #expect(headings.suffix(2) == ["OPTIONS", "EXIT STATUS"], "\(headings)")
        #expect(headings.dropFirst(2).first == "STORE SUBCOMMANDS" && !help.contains("\n\n\n"), "\(headings)")
        // The abstract has only one line, because explanations of options come after the commands.
        #expect(help.split(separator: "\n").dropFirst().first?.hasPrefix("USAGE: ") == true, "\(help)")
    }

    @Test func `an error whose code and reason are equal shows the word once`() async throws {
        try await withControl { control, _ in
            let refused = try await control.run("logs", "append", "l", "")
            let last = refused.errorOutput.split(separator: " ").suffix(2)
            #expect(refused.exitCode != 0 && Set(last).count == last.count, "\(refused.errorOutput)")
            let reason = try await control.run("contacts", "save", String(repeating: "x", count: 5_000))
            #expect(reason.errorOutput.contains(" [INVALID_ARGUMENT]"), "\(reason.errorOutput)")
        }
    }

    @Test func `an error on a terminal is wrapped between words`() async throws {
        try await withControl { control, _ in
            let name = "nobody-of-this-name"
            let shown = try await control.onTerminal("conversations get \(name)", columns: 40)
            let lines = shown.split(whereSeparator: \.isNewline).map(String.init)
            #expect(lines.count > 1 && lines.allSatisfy { $0.count <= 40 }, "\(lines)")
            let words = Set(lines.joined(separator: " ").split(separator: " ").map(String.init))
            #expect(words.isSuperset(of: [name, "[NOT_FOUND", "CONVERSATION_NOT_FOUND]"]), "\(lines)")
        }
    }

    @Test(arguments: [["help"], ["help", "messages", "list"], ["--help"], ["messages", "--help"], ["--version"]])
    func `requested help goes to standard output with exit status 0`(_ words: [String]) async throws {
        let result = try await Control.run(words)
        #expect(result.exitCode == 0 && !result.output.isEmpty && result.errorOutput.isEmpty)
    }

    @Test func `the list of exit statuses in help fits a terminal of 80 columns`() async throws {
        let help = try await Control.run(["--help"], environment: ["COLUMNS": "80"])
        let table = help.output.split(separator: "\n", omittingEmptySubsequences: false)
            .drop { !$0.hasPrefix("EXIT STATUS") }.dropFirst().prefix { !$0.isEmpty }
        #expect(table.count == 20)
        for line in table {
            #expect(line.prefixMatch(of: #/ +\d+  \S/#) != nil && line.count <= 80, "\(line)")
        }
    }

    @Test func `with JSON a failure is an object with code and reason`() async throws {
        try await withControl { control, _ in
            let missing = try JSON.lines(try await control.run("messages", "get", "none", "--json").errorOutput)
            #expect(missing.count == 1)
            let error = try #require(missing.first?["error"])
            #expect(error["exit_status"] == 2 && error["code"] == "NOT_FOUND" && error["reason"] == "MESSAGE_NOT_FOUND")
            #expect(error["message"]?.text?.hasSuffix(": none") == true)
            let wrong = try JSON.lines(try await control.run("--json", "messages", "get").errorOutput)
            #expect(wrong.first?["error"]?["exit_status"] == 64)
            let absent = try await control.run("--socket", "/nowhere", "status", "--json")
            #expect(try JSON.lines(absent.errorOutput).first?["error"]?["reason"] == "SOCKET_ABSENT")
        }
    }

    @Test func `statuses, times and sizes can be written in several forms`() async throws {
        try await withControl { control, _ in
            for (id, ago) in [("old", "-2h"), ("new", "-1m"), ("now", "now")] {
                try await control.text("messages", "save", "alice", "--id", id, "--time", ago, "hi")
            }
            let recent = try await control.json("messages", "list", "alice", "--from", "-1h")
            #expect(recent.map { $0["id"]?.text } == ["now", "new"])
            #expect(
                try await control.json("messages", "list", "alice", "--until=-90s").map { $0["id"]?.text } == ["old"])
            try await control.text("messages", "status", "old", "new", "sent")
            try await control.text("messages", "status", "failed", "now")
            for (id, status) in [("old", "sent"), ("new", "sent"), ("now", "failed")] {
                let message = try #require(try await control.json("messages", "get", id).first)
                #expect(message["status"]?.text == status)
            }
            for (size, bytes) in [
                ("1MiB", 1 << 20), ("64KiB", 65_536), ("2000", 2_000), ("1MB", 1_000_000), ("2 k", 2_048),
            ] {
                let log = try await control.json("logs", "open", "log-\(bytes)", "--maximum-bytes", size)
                #expect(log.first?["maximum_bytes"]?.integer == Int64(bytes))
            }
        }
    }
}
