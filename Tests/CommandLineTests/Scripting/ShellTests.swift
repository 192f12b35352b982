import GhostTestSupport
import Glibc
import StoreBasics
import TestBasics
import Testing

/// `shell` with a pipe as its standard input.
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

    @Test func `the first failed line ends the shell with the line number and the status`() async throws {
        try await withControl { control, _ in
            let result = try await control.run("shell", input: "stats -q\nmessages get none\ncontacts save bob\n")
            #expect(result.exitCode == 2 && result.errorOutput.contains("line 2: there is no such message: none"))
            #expect(try await control.json("contacts", "list").isEmpty)
            for (line, status, cause) in [
                ("messages save a -\n", Int32(64), "reads its commands from standard input"),
                ("conversations\n", 64, "a command is missing"), ("stats --socket /none\n", 69, "line 1: "),
                ("\nstats 'x\n", 64, "line 2: a quote is not closed"),
                ("shell\n", 64, "this command already runs in a shell"),
                ("--json shell\n", 64, "this command already runs in a shell"),
            ] {
                let failed = try await control.run("shell", input: line)
                #expect(failed.exitCode == status && failed.errorOutput.contains(cause), "\(failed)")
            }
        }
    }

    @Test func `options of the shell apply to its commands, unless a command overrides them`() async throws {
        try await withControl { control, _ in
            try await control.text("contacts", "save", "bob")
            let input = "contacts list\ncontacts list --format csv --columns session_id\ncontacts list -q\n"
            let lines = try await control.text("shell", "--json", input: input).split(separator: "\n")
            #expect(
                lines.first?.contains("\"session_id\": \"bob\"") == true
                    && lines.dropFirst() == ["session_id", "bob", "bob"])
            #expect(try await control.text("shell", "-q", input: "contacts list\n") == "bob\n")
            let moved = try await Control.run(
                ["shell", "--socket", control.socketPath], input: Array("stats --timeout 5 --json\n".utf8),
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

    @Test func `a failure has the format of its line, and the shell's messages the format of the shell`() async throws {
        try await withControl { control, _ in
            func failure(
                _ options: [String], _ lines: String, _ variables: [String: String] = [:]
            ) async throws -> String {
                let result = try await Control.run(
                    ["shell"] + options, input: Array(lines.utf8),
                    environment: ["GHOSTSTORE_SOCKET": control.socketPath].merging(variables) { _, new in new })
                #expect(result.exitCode == 64, "\(options) \(lines): \(result)")
                return result.errorOutput
            }
            for line in ["stats 'x\n", "none\n", "stats --none\n", "contacts get\n", "conversations\n"] {
                for options in [["--json"], ["--format", "json"], ["--format", "jsonl"]] {
                    for before in ["", "stats -q\n", "stats --format table\n"] {
                        let told = try await failure(options, before + line)
                        #expect(told.hasPrefix("{\"error\": "), "\(options) \(before)\(line): \(told)")
                    }
                }
                #expect(try await failure([], line, ["GHOSTSTORE_FORMAT": "json"]).hasPrefix("{\"error\": "))
                for options in [[], ["--format", "csv"], ["--format", "table"], ["--quiet"]] {
                    let told = try await failure(options, "stats --json\n" + line)
                    #expect(told.hasPrefix("ghoststorectl: line 2: "), "\(options) \(line): \(told)")
                }
            }
            #expect(try await failure(["--json"], "stats --none --format csv\n").hasPrefix("ghoststorectl: line 1: "))
        }
    }

    /// Runs the built program with the lines on a pipe. A command that read standard input would consume the lines
    /// after it.
    private func programShell(_ line: String, on pipe: String, _ control: Control) async throws -> ProgramResult {
        try await control.shell(
            """
            (printf '%s\\n' "$LINE"; echo stats) > '\(pipe)' &
            "$CTL" shell < '\(pipe)'; status=$?; wait; exit $status
            """,
            environment: ["LINE": line])
    }

    private func shell(_ line: String, on pipe: String, _ control: Control) async throws -> ProgramResult {
        // Opening a pipe for both reading and writing does not wait for its other end.
        let input = try OpenFile(pipe, O_RDWR)
        try FileDescriptorCalls.write(input.descriptor, Array("\(line)\nstats\n".utf8))
        return try await control.run(["shell"], reading: input)
    }

    @Test func `no command reads the lines of the shell under any name of standard input`() async throws {
        try await withControl { control, daemon in
            let folder = try TemporaryDirectory()
            let pipe = folder.file("pipe")
            try #require(mkfifo(pipe, 0o600) == 0)
            let commands = [
                "keys add --passphrase-fd 0", "keys add --key-file \(daemon.keyFilePath) --new-passphrase-fd 0",
                "keys add --key-file NAME", "keys add --passphrase-file NAME", "messages import NAME",
                "files put NAME document/x", "contacts save a --avatar-file NAME", "messages save a --attach NAME hi",
                "logs import l NAME", "backup upload NAME", "archive restore NAME",
            ]
            for command in commands {
                for name in ["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0", pipe] {
                    guard command.contains("NAME") || name == "-" else { continue }
                    let line = command.replacing("NAME", with: name)
                    // The built program runs the commands whose input is the number of a descriptor, and `messages
                    // import` with each name. All other commands run in the test process, which is faster.
                    let isProgram = command.hasSuffix("fd 0") || command.hasPrefix("messages import")
                    let result =
                        try await isProgram
                        ? programShell(line, on: pipe, control) : shell(line, on: pipe, control)
                    #expect(
                        result.exitCode == 64 && result.errorOutput.contains("reads its commands from standard input"),
                        "\(line): \(result)")
                }
            }
            // If the shell reads its commands from an ordinary file, a command may read this file by its path.
            let script = try folder.write(Array("files put SCRIPT document/script\n".utf8), to: "script")
            let put = try await control.shell(
                """
                sed -i 's,SCRIPT,\(script),' '\(script)'
                "$CTL" shell < '\(script)' && "$CTL" files cat document/script
                """)
            #expect(put.output.contains("files put \(script) document/script\n"), "\(put)")
        }
    }

    @Test func `the shell's timeout ends its commands, also those that run until interrupted`() async throws {
        try await withControl { control, daemon in
            let followed = try await control.run("shell", "--timeout", "0.2", input: "stats -q\nwatch\n")
            #expect(
                followed.exitCode == 75 && followed.errorOutput.contains("line 2: the time given by --timeout"),
                "\(followed)")
            let process = try #require(daemon.child)
            defer { process.signal(SIGCONT) }
            for line in ["stats", "stats --socket \(control.socketPath)"] {
                let folder = try TemporaryDirectory()
                let late = try await control.shell(
                    """
                    cd '\(folder.path)'; mkfifo in
                    "$CTL" shell --timeout 0.5 < in > out & shell=$!
                    exec 3> in; echo stats >&3
                    until grep -q unread out; do sleep 0.01; done
                    kill -STOP \(process.id); echo '\(line)' >&3
                    wait $shell; status=$?; kill -CONT \(process.id); exit $status
                    """)
                #expect(late.exitCode == 75, "\(line): \(late)")
            }
        }
    }
}
