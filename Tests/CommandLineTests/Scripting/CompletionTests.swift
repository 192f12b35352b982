import FoundationEssentials
import GhostTestSupport
import TestBasics
import Testing

/// What Tab offers, and that it runs nothing of what the store holds.
@Suite(.timeLimit(.minutes(2))) struct CompletionTests {
    /// Tab behind the words, in a bash that has the program's script: what it offers, a line each.
    private static let tab = """
        set -- "$CTL" "$@" ''
        eval "$("$CTL" completions bash)"
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMP_POINT=${#COMP_LINE}
        _ghoststorectl "$CTL" '' "${COMP_WORDS[COMP_CWORD - 1]}"
        [ ${#COMPREPLY[@]} = 0 ] || printf '%s\\n' "${COMPREPLY[@]}"
        """

    private func offered(
        _ words: [String], _ control: Control, in directory: String
    ) async throws -> Set<String> {
        let result = try await Program.run(
            "/bin/bash", ["-c", "cd '\(directory)'\n" + Self.tab, "bash"] + words,
            environment: ["GHOSTSTORE_SOCKET": control.socketPath, "CTL": Control.path])
        #expect(result.exitCode == 0 && result.errorOutput.isEmpty, "\(words): \(result.errorOutput)")
        return Set(result.output.split(separator: "\n").map(String.init))
    }

    private static let plain: Set = ["alice", "05ab", "bob@example", "a.b/c-d_e+f", "Grüße", "会話"]

    /// Names that a shell makes something else of, each of which would leave the file `mark` if it were run.
    private static let hostile: Set<String> = {
        let commands = [
            "$(touch mark)", "`touch mark`", "${x:-$(touch mark)}", "x;touch mark", "x&touch mark", "x|touch mark",
            "<(touch mark)", ">mark", "$((a[$(touch mark)]))", "\u{0D4E}$(touch mark)", "it's", "\"", "a b", "~", "*",
            "--socket=mark", "-x", "a:b", "\\",
        ]
        // Each sign that may be typed, in the middle and in front.
        let signs = (0x20...0x7E).compactMap { Unicode.Scalar($0) }
            .filter {
                !$0.properties.isAlphabetic && $0.properties.numericType == nil && !"._@/+-".contains(Character($0))
            }
        return Set(commands + signs.map { "x\($0)y" } + signs.map { "\($0)y" })
    }()

    @Test func `a name means itself to bash or is not offered, whatever it is`() async throws {
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

    @Test func `names in the store complete, at the socket that is named`() async throws {
        try await withControl { control, _ in
            try await control.text("messages", "save", "alice", "--id", "m1", "hi")
            try await control.text("contacts", "save", "bob")
            try await control.text("logs", "open", "events", "--maximum-bytes", "1MiB")
            try await control.text("scenes", "set", "main", "key", "value")
            let backup = try #require(try await control.json("backup", "create").first?["name"]?.text)
            let completions: [(words: [String], names: Set<String>, fixed: Set<String>)] = [
                (["conversations", "get"], ["alice"], []), (["messages", "get"], ["m1"], []),
                (["contacts", "get"], ["bob"], []), (["logs", "read"], ["events"], []),
                (["scenes", "get"], ["main"], []), (["backup", "delete"], [backup], []),
                (["messages", "status"], ["m1"], ["pending", "sent", "delivered", "failed"]),
            ]
            for (words, names, fixed) in completions {
                let asked = ["---completion"] + words + ["--", "positional@0", "3", "0", "ghoststorectl"] + words
                let result = try await Program.run(
                    Control.path, asked + ["--socket", control.socketPath], environment: ["GHOSTSTORE_SOCKET": "/none"])
                #expect(lines(result) == names.union(fixed), "\(words)")
                let unanswered = try await Program.run(
                    Control.path, asked, environment: ["GHOSTSTORE_SOCKET": "/none"])
                #expect(unanswered.exitCode == 0 && lines(unanswered) == fixed, "\(words)")
            }
            let script = try await control.text("completions", "bash")
            #expect(script.contains("pending") && script.contains("delivered"))
        }
    }

    private func lines(_ result: ProgramResult) -> Set<String> {
        Set(result.output.split(separator: "\n").map(String.init))
    }
}
