import FoundationEssentials
import GhostTestSupport
import Glibc
import TestBasics
import Testing

/// `shell` at a pipe, and its history.
@Suite struct ShellTests {
    @Test func `lines of a pipe are commands on one connection`() async throws {
        try await withControl { control, _ in
            let script = """
                # remarks and empty lines do nothing

                contacts save bob --display-name "Bob \\"the\\" builder"
                ghoststorectl contacts save 'two words' -q
                contacts list --format csv --columns session_id,display_name
                metrics
                metrics
                exit
                no-such-command
                """
            let result = try await control.run("shell", input: script)
            #expect(result.exitCode == 0 && result.errorOutput.isEmpty, "\(result.errorOutput)")
            #expect(result.output.contains("bob,\"Bob \"\"the\"\" builder\"\ntwo words,\n"), "\(result.output)")
            let accepted = result.output.split(separator: "\n").filter {
                $0.hasPrefix("ghoststore_connections_accepted_total ")
            }
            #expect(accepted.count == 2 && accepted[0] == accepted[1])
        }
    }

    @Test func `the first line that fails ends it, with its number and status`() async throws {
        try await withControl { control, _ in
            let result = try await control.run("shell", input: "stats -q\nmessages get none\ncontacts save bob\n")
            #expect(result.exitCode == 2 && result.errorOutput.contains("line 2: there is no such message: none"))
            #expect(try await control.json("contacts", "list").isEmpty)
            for (line, status, cause) in [
                ("messages save a -\n", Int32(64), "a shell reads standard input itself"),
                ("conversations\n", 64, "a command is missing"), ("stats --socket /none\n", 69, "line 1: "),
                ("\nstats 'x\n", 64, "line 2: a quote is not closed"), ("shell\n", 64, "this is a shell already"),
                ("--json shell\n", 64, "this is a shell already"),
            ] {
                let failed = try await control.run("shell", input: line)
                #expect(failed.exitCode == status && failed.errorOutput.contains(cause), "\(failed)")
            }
        }
    }

    @Test func `what the shell is told holds for its commands, unless they say otherwise`() async throws {
        try await withControl { control, _ in
            try await control.text("contacts", "save", "bob")
            let input = "contacts list\ncontacts list --format csv --columns session_id\ncontacts list -q\n"
            let lines = try await control.text("shell", "--json", input: input).split(separator: "\n")
            #expect(
                lines.first?.contains("\"session_id\": \"bob\"") == true
                    && lines.dropFirst() == ["session_id", "bob", "bob"])
            #expect(try await control.text("shell", "-q", input: "contacts list\n") == "bob\n")
            let moved = try await Program.run(
                Control.path, ["shell", "--socket", control.socketPath],
                input: Array("stats --timeout 5 --json\n".utf8),
                environment: ["GHOSTSTORE_SOCKET": "/none"])
            #expect(moved.exitCode == 0 && moved.output.hasPrefix("{"), "\(moved)")
        }
    }

    @Test func `words are split as sh splits them`() async throws {
        try await withControl { control, _ in
            let names = [
                #"a\ b"#, #"'a\ b'"#, #""a\ b""#, #""a\"b""#, #"a"b c"'d e'"#, #"'#no' "#, "x#y", #""$HOME`*""#,
                "\"\u{301}x\"", "é\u{200D}ü", "\\'",
            ]
            let lines = names.map { "contacts save \($0) # a remark\n" }.joined()
            let shell = try await control.run(
                "shell", input: lines + "contacts list --columns session_id --format tsv\n")
            let sh = try await Program.shell(
                names.filter { !$0.contains("$") }.map { "printf '%s\\n' \($0)\n" }.joined())
            let saved = Set(shell.output.split(separator: "\n").map(String.init))
            for word in sh.output.split(separator: "\n") {
                #expect(saved.contains(String(word).replacing("\\", with: "\\\\")), "\(word): \(shell)")
            }
        }
    }

    @Test func `the history is kept when it is asked for, for its owner alone`() async throws {
        try await withControl { control, _ in
            let home = try TemporaryDirectory()
            let path = home.file("deep/state/ghoststorectl/history")
            func typing(_ options: [String], _ lines: [String]) async throws -> TerminalProgram {
                let shell = try control.shellOnTerminal(
                    options, environment: ["XDG_STATE_HOME": home.file("deep/state")])
                for line in lines {
                    try await shell.type(line + "\r", until: "ghoststore> ")
                }
                try shell.type("exit\r")
                _ = try await shell.wait()
                return shell
            }
            _ = try await typing([], ["stats"])
            #expect(access(path, F_OK) != 0)
            let secrets = ["correct horse battery", "rpc '{\"ping\": {}}'", " contacts list"]
            _ = try await typing(["--keep-history"], ["stats"] + secrets + ["stats", "conversations lst"])
            let kept = try #require(FileManager.default.contents(atPath: path))
            #expect(String(decoding: kept, as: UTF8.self) == "stats\nconversations lst\nexit\n")
            var facts = stat()
            try #require(stat(path, &facts) == 0)
            #expect(facts.st_mode & 0o777 == 0o600)
            let again = try control.shellOnTerminal(
                ["--keep-history"], environment: ["XDG_STATE_HOME": home.file("deep/state")])
            try await again.shows("ghoststore> ")
            try await again.type("\u{1B}[A\u{1B}[A\u{1B}[A", until: "> stats")
            try again.type("\u{15}exit\r")
            #expect(try await again.wait() == .exited(0))
            chmod(path, 0o644)
            let open = try await typing(["--keep-history"], [])
            #expect(open.output.contains("others may read the history"), "\(open.output)")
            unlink(path)
            try #require(symlink("/dev/null", path) == 0)
            let linked = try await typing(["--keep-history"], [])
            #expect(linked.output.contains("could not be opened"), "\(linked.output)")
        }
    }
}
