import FoundationEssentials
import GhostTestSupport
import TestBasics
import Testing

/// The completions that Tab offers. Completion must never execute text that comes from the store.
@Suite(.timeLimit(.minutes(2))) struct CompletionTests {
    /// The completion script for bash, which all tests share.
    private static let script = Task { try await Control.run(["completions", "bash"]).output }
    /// A bash script that loads the completion script and prints what Tab offers for the last word, one candidate per
    /// line.
    private static let tab = """
        set -- "$CTL" "$@"
        eval "$(cat)"
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMP_POINT=${#COMP_LINE}
        _ghoststorectl "$CTL" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
        [ ${#COMPREPLY[@]} = 0 ] || printf '%s\\n' "${COMPREPLY[@]}"
        """

    /// - Parameter begun: the part of the word that has already been typed.
    private func offered(
        _ words: [String], _ control: Control, in directory: String, begun: String = "",
        environment: [String: String] = [:]
    ) async throws -> Set<String> {
        let result = try await Program.run(
            "/bin/bash", ["-c", "cd '\(directory)'\n" + Self.tab, "bash"] + words + [begun],
            input: Array(try await Self.script.value.utf8),
            environment: ["GHOSTSTORE_SOCKET": control.socketPath, "CTL": Control.path].merging(environment) {
                $1
            })
        #expect(result.exitCode == 0 && result.errorOutput.isEmpty, "\(words): \(result.errorOutput)")
        return Set(result.output.split(separator: "\n").map(String.init))
    }

    private static let plain: Set = ["alice", "05ab", "bob@example", "a.b/c-d_e+f", "Grüße", "会話"]

    /// Names with a meaning for the shell. Most of them would create the file `mark` if the shell executed them.
    private static let hostile: Set<String> = {
        let commands = [
            "$(touch mark)", "`touch mark`", "${x:-$(touch mark)}", "x;touch mark", "x&touch mark", "x|touch mark",
            "<(touch mark)", ">mark", "$((a[$(touch mark)]))", "\u{0D4E}$(touch mark)", "it's", "\"", "a b", "~", "*",
            "--socket=mark", "-x", "a:b", "\\",
        ]
        // Every printable character that has a meaning for a shell, in the middle and at the beginning of a name.
        let signs = (0x20...0x7E).compactMap { Unicode.Scalar($0) }
            .filter {
                !$0.properties.isAlphabetic && $0.properties.numericType == nil && !"._@/+-".contains(Character($0))
            }
        return Set(commands + signs.map { "x\($0)y" } + signs.map { "\($0)y" })
    }()

    @Test func `only names that bash reads literally are offered`() async throws {
        try await withControl { control, daemon in
            let names = Self.plain.union(Self.hostile)
            let directory = daemon.directory.path
            let lines = try names.map { name in
                let fields = ["id": name, "conversation_session_id": name, "text": "t"]
                return String(decoding: try JSONEncoder().encode(fields), as: UTF8.self)
            }
            try await control.text("messages", "import", "-", input: lines.joined(separator: "\n"))
            for name in ["alice", "$(touch mark)", "it's"] {
                try await control.text("contacts", "save", name)
                try await control.text("logs", "open", name, "--maximum-bytes", "1MiB")
                try await control.text("scenes", "set", name, "key", "value")
            }
            #expect(try await offered(["conversations", "get"], control, in: directory) == Self.plain)
            #expect(try await offered(["messages", "get"], control, in: directory) == Self.plain)
            for words in [["contacts", "get"], ["logs", "read"], ["scenes", "get"]] {
                #expect(try await offered(words, control, in: directory) == ["alice"], "\(words)")
            }
            #expect(!FileManager.default.fileExists(atPath: daemon.directory.file("mark")))
        }
    }

    @Test func `names are completed from the store at the given socket`() async throws {
        try await withControl { control, _ in
            try await control.text("messages", "save", "alice", "--id", "m1", "hi")
            try await control.text("contacts", "save", "bob")
            try await control.text("logs", "open", "events", "--maximum-bytes", "1MiB")
            try await control.text("scenes", "set", "main", "key", "value")
            let backup = try #require(try await control.json("backup", "create").first?["name"]?.text)
            let history = try #require(try await control.json("status").first?["history_id"]?.text)
            let completions: [(words: [String], place: String, names: Set<String>, fixed: Set<String>)] = [
                (["conversations", "get"], "positional@0", ["alice"], []),
                (["conversations", "create"], "positional@0", ["alice", "bob"], []),
                (["messages", "get"], "positional@0", ["m1"], []), (["contacts", "get"], "positional@0", ["bob"], []),
                (["logs", "read"], "positional@0", ["events"], []), (["scenes", "get"], "positional@0", ["main"], []),
                (["scenes", "get", "main"], "positional@1", ["key"], []),
                (["scenes", "set", "--type", "json", "main"], "positional@1", ["key"], []),
                (["scenes", "set", "main", "key"], "positional@1", [], []),
                (["scenes", "set", "main", "key", "x"], "positional@1", ["key"], []),
                (["keys", "remove"], "positional@0", ["1"], []), (["backup", "delete"], "positional@0", [backup], []),
                (["watch", "--history"], "--history", [history], []),
                (["messages", "list", "alice", "--sender"], "--sender", ["alice", "bob"], []),
                (["messages", "status"], "positional@0", ["m1"], ["pending", "sent", "delivered", "failed"]),
            ]
            for (words, place, names, fixed) in completions {
                let path = words[0] == "watch" ? words.prefix(1) : words.prefix(2)
                let asked =
                    ["---completion"] + path + ["--", place, "\(words.count + 1)", "0", "ghoststorectl"] + words
                let result = try await Control.run(
                    asked + ["--socket", control.socketPath], environment: ["GHOSTSTORE_SOCKET": "/none"])
                #expect(lines(result) == names.union(fixed), "\(words)")
                let unanswered = try await Control.run(asked, environment: ["GHOSTSTORE_SOCKET": "/none"])
                #expect(unanswered.exitCode == 0 && lines(unanswered) == fixed, "\(words)")
            }
            let script = try await control.text("completions", "bash")
            #expect(script.contains("pending") && script.contains("delivered"))
        }
    }

    @Test func `each column is offered once, and columns of the table only for people`() async throws {
        try await withControl { control, daemon in
            func columns(_ command: [String], _ begun: String = "") async throws -> Set<String> {
                try await offered(command + ["--columns"], control, in: daemon.directory.path, begun: begun)
            }
            #expect(try await columns(["files", "ls"], "na") == ["name"])
            let begun = try await columns(["messages", "list", "alice"], "text,ti")
            #expect(begun == ["text,time", "text,timestamp_microseconds"])
            #expect(try await columns(["messages", "list", "alice", "--json"], "ti") == ["timestamp_microseconds"])
            #expect(
                try await columns(["messages", "list", "--format", "csv", "alice"], "time") == [
                    "timestamp_microseconds"
                ])
            for (format, names) in [
                ("csv", ["timestamp_microseconds"]), ("table", ["time", "timestamp_microseconds"]),
            ] {
                let offered = try await offered(
                    ["messages", "list", "alice", "--columns"], control, in: daemon.directory.path, begun: "time",
                    environment: ["GHOSTSTORE_FORMAT": format])
                #expect(offered == Set(names), "\(format)")
            }
            #expect(try await columns(["scenes", "list"]).contains("scene"))
            #expect(try await !columns(["scenes", "list", "main"]).contains("scene"))
            // Every offered name is a column of the command.
            for (path, command) in try await CommandTree.whole() {
                guard (command.arguments ?? []).contains(where: { $0.words.contains("--columns") }) else { continue }
                let names = try await columns(path)
                #expect(names.count > 2, "\(path)")
                guard ["keys", "backup"].contains(path[0]) else { continue }
                try await control.text("\(path[0])", "list", "--columns", names.joined(separator: ","))
            }
        }
    }

    /// Options and operands without completions: numbers, times, cursors of pages, and free text.
    private static let free: Set = [
        "--passphrase-fd", "--new-passphrase-fd", "--label", "--keep-last", "--keep-daily", "--keep-weekly",
        "--keep-monthly", "--keep-for", "--keep-count", "--expire-after", "--limit", "--cursor", "--id",
        "--display-name", "--notes", "--time", "--from", "--until", "--attach-source", "--attachment-url",
        "--attachment-type", "--before",
        "--after", "--last", "--count", "--through", "--if-revision", "--maximum-bytes", "--timeout", "--import-id",
        "--mime-type", "--since", "--interval", "--name", "--valid", "--wait", "--place",
        "--kind-name", "--sender-name", "--metadata-type", "--attach-metadata-type", "--role",
        "<position>", "<text>", "<emoji>", "<messages>", "<request>", "<query>", "<edit>",
    ]

    @Test func `every option and operand offers its values, or is listed as free`() async throws {
        let valued = try await CommandTree.whole().flatMap { path, command in
            (command.arguments ?? []).filter { $0.kind != .flag && $0.shouldDisplay }.map { (path, $0) }
        }
        #expect(valued.count > 200)
        for (path, argument) in valued {
            // The kinds of changes are words of ghoststore; the kinds of messages and conversations are free text.
            let isFreeKind = argument.title == "--kind" && !["changes", "watch"].contains(path[0])
            #expect(
                (argument.completionKind == nil) == (Self.free.contains(argument.title) || isFreeKind),
                "\(path) \(argument.title)")
        }
        #expect(Self.free.isSubset(of: Set(valued.map(\.1.title))))
    }

    /// A bash script that prints the completions of `--` and of an empty word after each line of standard input.
    private static let tabs = """
        eval "$("$CTL" completions bash)"
        while read -r line; do
            for begun in -- ''; do
                COMP_WORDS=("$CTL" $line "$begun") COMPREPLY=()
                COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMP_LINE="${COMP_WORDS[*]}" COMP_POINT=${#COMP_LINE}
                [ -z "$begun" ] && [ "$1" = options ] && continue
                _ghoststorectl "$CTL" "$begun" "${COMP_WORDS[COMP_CWORD - 1]}"
                echo "$line|${COMPREPLY[*]}"
            done
        done
        """

    @Test func `the script of every shell has every command and option`() async throws {
        let tree = try await CommandTree.whole()
        let (groups, leaves) = (
            tree.filter { !($0.command.subcommands ?? []).isEmpty },
            tree.filter { ($0.command.subcommands ?? []).isEmpty }
        )
        func offered(_ commands: [(path: [String], command: CommandTree.Command)], _ mode: String) async throws
            -> [[String]]
        {
            let input = commands.map { $0.path.joined(separator: " ") + "\n" }.joined()
            let result = try await Program.run(
                "/bin/bash", ["-c", Self.tabs, "bash", mode], input: Array(input.utf8),
                environment: ["GHOSTSTORE_SOCKET": "/none", "CTL": Control.path])
            #expect(result.errorOutput.isEmpty, "\(result.errorOutput)")
            return result.output.split(separator: "\n").map { line in
                line.split(separator: "|", omittingEmptySubsequences: false)[1].split(separator: " ").map(String.init)
            }
        }
        let options = try await offered(leaves, "options")
        try #require(options.count == leaves.count)
        let always: Set = ["--help", "--version"]
        for ((path, command), words) in zip(leaves, options) {
            let wanted = (command.arguments ?? []).filter(\.shouldDisplay).flatMap(\.words).filter {
                $0.hasPrefix("--")
            }
            #expect(Set(words).subtracting(always) == Set(wanted).subtracting(always), "\(path)")
        }
        let commands = try await offered(groups, "commands").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
        for ((path, command), words) in zip(groups, commands) {
            let wanted = Set((command.subcommands ?? []).map(\.commandName))
            #expect(Set(words).isSuperset(of: wanted.subtracting(["help"])), "\(path)")
        }
        try await compare(leaves)
    }

    /// Compares the text of the scripts for zsh and fish, because these shells need not be installed.
    private func compare(_ leaves: [(path: [String], command: CommandTree.Command)]) async throws {
        let zsh = try await Control.run(["completions", "zsh"]).output
        let fish = try await Control.run(["completions", "fish"]).output.split(separator: "\n")
        for (path, command) in leaves {
            let function = "\n_ghoststorectl_\(path.joined(separator: "_"))() {"
            let body = zsh.split(separator: function, maxSplits: 1).last?.split(separator: "\n}\n", maxSplits: 1).first
            let name = "\"ghoststorectl \(path.joined(separator: " "))\""
            let lines = fish.filter { $0.contains(name) }
            for word in (command.arguments ?? []).filter(\.shouldDisplay).flatMap(\.words) where word.hasPrefix("--") {
                #expect(body?.contains(word) == true, "zsh: \(path) \(word)")
                #expect(lines.contains { $0.contains("-l '\(word.dropFirst(2))'") }, "fish: \(path) \(word)")
            }
        }
    }

    private func lines(_ result: ProgramResult) -> Set<String> {
        Set(result.output.split(separator: "\n").map(String.init))
    }
}
