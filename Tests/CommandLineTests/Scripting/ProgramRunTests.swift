import GhostTestSupport
import Glibc
import TestBasics
import Testing

/// Most tests run commands inside the test process. These tests show that the built program behaves the same.
@Suite struct ProgramRunTests {
    private struct Trial {
        var words: [String]
        var input = ""
        var environment: [String: String] = [:]
    }

    private static let trials = [
        Trial(words: []), Trial(words: ["--version"]), Trial(words: ["help", "messages", "list"]),
        Trial(words: ["messages", "--help"], environment: ["COLUMNS": "60"]), Trial(words: ["messages", "nope"]),
        Trial(words: ["messages", "list", "--json"]), Trial(words: ["messages", "get", "m1"]),
        Trial(words: ["messages", "get", "none"]), Trial(words: ["messages", "get", "none", "--json"]),
        Trial(words: ["messages", "list", "alice"], environment: ["GHOSTSTORE_FORMAT": "csv"]),
        Trial(words: ["messages", "list", "alice"], environment: ["GHOSTSTORE_FORMAT": "xml"]),
        Trial(words: ["messages", "list", "alice", "--socket", "/none"]),
        Trial(words: ["messages", "export", "--output", "/dev/stdout", "alice"]),
        Trial(words: ["messages", "edit", "m1", "-"]), Trial(words: ["messages", "save", "alice", "-", "--id", "m1"]),
        Trial(words: ["keys", "add", "--key-file", "-", "--new-passphrase-file", "-"], input: "x"),
        Trial(words: ["shell"], input: "contacts list\nmessages get m1\nmessages get none --json\n"),
        Trial(words: ["shell", "--json"], input: "contacts list\nstats 'x\n"),
        Trial(words: ["encode"], input: "{\"ping\": {}}\n"), Trial(words: ["decode"], input: "x"),
        Trial(words: ["rpc"], input: "{\"getMessage\": {\"id\": \"m1\"}}\n{\"getMessage\": {\"id\": \"none\"}}\n"),
        Trial(words: ["completions", "fish"]),
    ]

    @Test func `a command has the same results in the test process and in a separate process`() async throws {
        try await withControl { control, _ in
            try await control.text("messages", "save", "alice", "--id", "m1", "hello")
            for trial in Self.trials {
                let variables = ["GHOSTSTORE_SOCKET": control.socketPath].merging(trial.environment) { $1 }
                let input = Array(trial.input.utf8)
                let program = try await Program.run(
                    Control.path, trial.words, input: input, environment: variables)
                let here = try await Control.run(trial.words, input: input, environment: variables)
                #expect(here.status == program.status, "\(trial): \(here) \(program)")
                #expect(here.output == program.output, "\(trial)")
                #expect(here.errorOutput == program.errorOutput, "\(trial)")
                #expect(!(here.output + here.errorOutput).isEmpty, "\(trial)")
            }
        }
    }

    @Test func `concurrent runs use only their own streams, formats and defaults`() async throws {
        try await withControl { control, _ in
            async let watched = control.run("watch", "--after", "0", "--count", "2", "--json")
            async let missing = control.run("messages", "get", "none")
            async let listed = control.run(
                ["contacts", "list", "--columns", "session_id"], environment: ["GHOSTSTORE_FORMAT": "csv"])
            let (told, rows) = (try await missing.errorOutput, try await listed.output)
            #expect(told.hasPrefix("ghoststorectl: ") && rows == "session_id\n", "\(told) \(rows)")
            try await control.text("messages", "save", "alice", "hello")
            let changes = try JSON.lines(try await watched.output)
            #expect(changes.count == 2)
        }
    }

    /// A setting that a command changed for the process would affect all later tests.
    @Test func `a run in the test process changes no signal and uses no terminal`() async throws {
        try await withControl { control, daemon in
            func actions() -> [UInt] {
                [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGPIPE].map { number in
                    var action = Glibc.sigaction()
                    sigaction(number, nil, &action)
                    return withUnsafeBytes(of: action.__sigaction_handler) { $0.loadUnaligned(as: UInt.self) }
                }
            }
            let before = actions()
            async let followed = control.run("watch", "--after", "0", "--count", "9")
            try await control.text("backup", "create", "--output", daemon.directory.file("copy"))
            try await control.text("check")
            #expect(actions() == before)
            let asked = try await control.run("clear-all-data")
            #expect(asked.exitCode == 64 && asked.errorOutput.contains("no terminal"), "\(asked)")
            for number in 0..<9 {
                try await control.text("contacts", "save", "c\(number)")
            }
            let status = try await followed.exitCode
            #expect(status == 0)
        }
    }
}
