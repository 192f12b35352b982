import GhostTestSupport
import Glibc
import TestBasics
import Testing

/// Compares the table of rights in docs/cli.md with the daemon: a command succeeds with the rights in its row, and
/// fails with fewer.
@Suite struct CommandRightsTests {
    /// A command that runs with exactly the rights in its row of the table.
    private struct Trial {
        /// The command as the table writes it.
        let command: String
        /// The arguments. `@name` stands for a file in the daemon's folder.
        let arguments: [String]
        var input = ""
        var status: Int32 = 0

        init(_ command: String, _ arguments: [String], input: String = "", status: Int32 = 0) {
            self.command = command
            self.arguments = arguments
            self.input = input
            self.status = status
        }

        /// Returns a trial whose arguments are the words of the command followed by `rest`.
        static func plain(_ command: String, _ rest: String...) -> Trial {
            Trial(command, command.split(separator: " ").map(String.init) + rest)
        }
    }

    /// The trials, ordered so that each finds the data that it needs.
    private static let trials: [Trial] = [
        .plain("status"), .plain("clients"), Trial("doctor", ["doctor"], status: 7), .plain("shell"), .plain("encode"),
        .plain("decode"),
        .plain("completions", "bash"),
        .plain("blobs inspect", "@blob"), .plain("conversations list"), .plain("conversations get", "05alice"),
        .plain("stats"), .plain("conversations create", "05carl"),
        .plain("conversations update", "05carl", "--pinned"), .plain("conversations mark-read", "05carl"),
        .plain("conversations members set", "05carl", "05bob", "--name", "B", "--role", "r"),
        .plain("conversations members list", "05carl"),
        .plain("conversations members remove", "05carl", "05bob"), .plain("replication lost-edits"),
        .plain("replication dismiss-edit", "7"),
        .plain("conversations delete", "05carl", "--yes"), .plain("messages list", "05alice"),
        .plain("messages list"), .plain("attachments list"),
        .plain("messages get", "m1"),
        .plain("attachments usage"), .plain("attachments list", "05alice"), .plain("attachments get", "m1", "0", "-"),
        .plain("messages save", "05alice", "--id", "m2", "hi"), .plain("messages edit", "m2", "ho"),
        .plain("messages status", "m2", "sent"), .plain("messages mark-read", "m2"), .plain("messages delete", "m2"),
        .plain("messages react", "m1", "👍", "--by", "05bob"), .plain("messages reactions", "m1"),
        .plain("messages unreact", "m1", "👍", "--by", "05bob"), .plain("drafts save", "05alice", "draft"),
        .plain("drafts show", "05alice"), .plain("drafts list"), .plain("search messages", "hello"),
        .plain("search messages", "hello", "--in", "05alice"),
        .plain("drafts delete", "05alice"), .plain("messages follow", "--after", "0", "--count", "1"),
        // The command ends because of its timeout. The rights do not cause this exit status.
        Trial(
            "messages follow SESSION", ["messages", "follow", "05alice", "--last", "1", "--timeout", "0.5"],
            status: 75),
        Trial("messages export SESSION", ["messages", "export", "05alice"]), .plain("messages export"),
        .plain("messages export --dialogs"), .plain("messages export --all"),
        Trial(
            "messages import of messages", ["messages", "import", "-"],
            input: #"{"id":"m3","conversation_session_id":"05alice","text":"t","timestamp_microseconds":1}"#),
        Trial(
            "messages import of conversations", ["messages", "import", "-"],
            input: #"{"kind":"conversation","session_id":"05alice","is_muted":true}"#),
        Trial(
            "messages import of contacts", ["messages", "import", "-"],
            input: #"{"kind":"contact","session_id":"05alice","notes":"n"}"#),
        Trial(
            "messages import of dialogs", ["messages", "import", "-"],
            input: #"{"topic":"t","language":"en","turns":["a","b"]}"#),
        .plain("search conversations", "alice"), .plain("search contacts", "bob"), .plain("contacts list"),
        .plain("contacts get", "05bob"), .plain("contacts save", "05carl"),
        .plain("contacts block", "05carl"), .plain("contacts unblock", "05carl"),
        .plain("contacts delete", "05carl"), .plain("changes list"), .plain("changes list", "--last", "1"),
        .plain("watch", "--after", "0", "--count", "1"),
        Trial("watch SESSION", ["watch", "05alice", "--after", "0", "--count", "1"]),
        Trial("changes list SESSION", ["changes", "list", "05alice"]),
        .plain("scenes watch", "notes", "--after", "0", "--count", "1"), .plain("scenes get", "notes", "k"),
        Trial("scenes list SCENE", ["scenes", "list", "notes"]), .plain("scenes list"),
        .plain("scenes set", "notes", "k", "w"), .plain("scenes remove", "notes", "k"), .plain("logs read", "events"),
        .plain("logs follow", "events", "--after", "0", "--count", "1"), .plain("logs info", "events"),
        .plain("logs export", "events", "-"), .plain("logs list"),
        .plain("logs open", "events", "--maximum-bytes", "4096"), .plain("logs append", "events", "again"),
        .plain("logs import", "events", "@events"), .plain("logs delete", "events"),
        .plain("files cat", "document/d/f"), .plain("files stat", "document/d/f"),
        .plain("files get", "document/d/f", "-"), Trial("files ls PATH", ["files", "ls", "document/d"]),
        .plain("files tree", "document/d"), .plain("files du", "document/d"), .plain("files ls"),
        .plain("files usage"), .plain("files put --resume", "@blob", "document/d/f"),
        .plain("files get -r", "document/d", "@out"), .plain("files put", "@blob", "document/d/f"),
        .plain("files rm", "document/d/f"), .plain("files mkdir", "document/d/f"),
        .plain("files put -r", "@folder", "document/d/tree"), .plain("files cp", "document/d/tree", "document/d/copy"),
        .plain("files mv", "document/d/copy", "document/d/moved"), .plain("files rm -r", "document/d/moved"),
        .plain("blobs export", "05alice", "-"), .plain("blobs import", "05alice", "@blob"),
        Trial(
            "blobs inspect with a secret", ["blobs", "inspect", "@sealed", "--passphrase-file", "@passphrase"]),
        .plain("archive create", "-"), .plain("archive verify", "@archive"), .plain("archive show", "@archive"),
        .plain("archive restore", "@archive", "--merge"),
        .plain("metrics"), .plain("top", "--once", "--interval", "100ms"), .plain("check"),
        .plain("keys list"), .plain("backup list"), .plain("backup create"),
        .plain("backup prune", "--keep-last", "1"), .plain("changes compact", "--through", "1"),
        // The daemon checks the rights before it finds that a passphrase is not an invitation code.
        Trial(
            "replication join", ["replication", "join", "--name", "lap", "--yes", "--code-file", "@passphrase"],
            status: 65),
        .plain("replication create", "--name", "desk"), .plain("replication status"), .plain("replication invite"),
        .plain("replication leave", "--yes"),
        .plain("clear-all-data", "--yes"), .plain("lock"),
    ]

    /// Replaces the placeholders in a cell of the table with the names that the trials use.
    private static func rule(_ rights: String) -> String {
        rights.replacing(":LOG", with: ":events").replacing(":SCENE", with: ":notes")
            .replacing(":SESSION", with: ":05alice").replacing(":PATH*", with: ":document/d*")
            .replacing(":PATH/", with: ":document/d/").replacing(":PATH", with: ":document/d/f")
    }

    /// Returns smaller sets of rights. For each right, one set lacks this right. If the right is to all scenes, logs,
    /// blobs or files, another set limits it to the name `05alice`.
    private static func fewer(than rights: String) -> [String] {
        let all = rights.split(separator: ",")
        return all.indices.flatMap { index in
            let others = (all[..<index] + all[(index + 1)...]).joined(separator: ",")
            let isWhole = ["scenes:", "logs:", "blobs:", "files:"].contains { all[index].hasPrefix($0) }
            guard isWhole && all[index].split(separator: ":").count == 2 else { return [others] }
            let limited = all[index] + ":05alice"
            return [others, others.isEmpty ? String(limited) : "\(others),\(limited)"]
        }
    }

    /// Assigns a user id to each set of rights.
    private struct Users {
        private(set) var rules: [String] = []
        private var users: [String: Int] = [:]

        mutating func add(_ rights: String) {
            guard users[rights] == nil else { return }
            users[rights] = 62_000 + users.count
            if !rights.isEmpty && rights != "none" {
                rules.append("user:\(self[rights]) \(CommandRightsTests.rule(rights))")
            }
        }

        subscript(rights: String) -> Int {
            users[rights] ?? 61_999
        }
    }

    @Test func `the table has a row for every command`() async throws {
        let leaves = try await CommandTree.leaves().filter { $0 != "help" }
        let table = try RightsTable()
        let told = table.rights.keys.map { row in
            leaves.filter { row == $0 || row.hasPrefix("\($0) ") }.max { $0.utf8.count < $1.utf8.count } ?? row
        }
        #expect(Set(told) == Set(leaves))
        // A command without a trial must need only `administration`. The exception is `rpc`, which needs the rights of
        // its requests.
        let untried = Set(table.rights.keys).subtracting(Self.trials.map(\.command))
        #expect(untried.allSatisfy { table.rights[$0] == "administration" || $0 == "rpc" }, "\(untried)")
    }

    @Test(.enabled(if: geteuid() == 0, "only root may run programs as other users"))
    func `each command succeeds with the rights in its row and fails with fewer`() async throws {
        let table = try RightsTable().rights
        var users = Users()
        for rights in table.values {
            users.add(rights)
            Self.fewer(than: rights).forEach { users.add($0) }
        }
        var options = TestDaemonOptions()
        options.environment = [
            "GHOSTSTORE_ACCESS_RULES": users.rules.filter { !$0.contains("requests") }.joined(separator: ";"),
            "GHOSTSTORE_ALLOW_LOW_COST_KEYS": "true",
        ]
        try await withDaemon(options) { daemon in
            try await fill(daemon)
            let (others, relays) = (try await OtherUsers(daemon), try UserRelays(daemon))
            func run(_ trial: Trial, _ arguments: [String], as user: Int) async throws -> ProgramResult {
                let input = Array(trial.input.utf8)
                // `doctor` also inspects the machine as its user, so it must run in a process of that user.
                guard trial.command != "doctor" else {
                    return try await others.run(user, group: user, arguments, input: input)
                }
                return try await relays.control(of: user).run(arguments, input: input)
            }
            for trial in Self.trials {
                let rights = try #require(table[trial.command], "\(trial.command)")
                let arguments = trial.arguments.map {
                    $0.hasPrefix("@") ? daemon.directory.file(.init($0.dropFirst())) : $0
                }
                for fewer in rights == "none" ? [] : Self.fewer(than: rights) {
                    let refused = try await run(trial, arguments, as: users[fewer])
                    #expect(refused.exitCode == 77, "\(trial.arguments) with '\(fewer)': \(refused.errorOutput)")
                    #expect(refused.errorOutput.contains("PERMISSION_DENIED"), "\(refused.errorOutput)")
                }
                let done = try await run(trial, arguments, as: users[rights])
                #expect(done.exitCode == trial.status, "\(trial.arguments) with '\(rights)': \(done.errorOutput)")
            }
        }
    }

    /// Stores the data that the commands use.
    private func fill(_ daemon: TestDaemon) async throws {
        let control = Control(daemon)
        let file = { (name: String) in daemon.directory.file(name) }
        try daemon.directory.write(Array("correct horse battery\n".utf8), to: "passphrase", mode: 0o644)
        try await control.text("messages", "save", "05alice", "--id", "m1", "hello", "--attach", file("passphrase"))
        try await control.text("messages", "import", "-", input: #"{"topic":"t","language":"en","turns":["a"]}"#)
        try await control.text("contacts", "save", "05bob")
        try await control.text("scenes", "set", "notes", "k", "v")
        try await control.text("logs", "open", "events", "--maximum-bytes", "4096")
        try await control.text("logs", "append", "events", "started")
        try await control.text("logs", "export", "events", file("events"))
        try await control.text("blobs", "export", "05alice", file("blob"))
        try await control.text(
            "blobs", "export", "05alice", file("sealed"), "--passphrase-file", file("passphrase"), "--low-cost")
        try await control.text("files", "put", "-p", "-", "document/d/f", input: "content")
        try await control.text("archive", "create", file("archive"))
        for folder in ["folder", "out"] {
            try #require(mkdir(file(folder), 0o777) == 0 && chmod(file(folder), 0o777) == 0)
        }
        try daemon.directory.write(Array("content".utf8), to: "folder/inner", mode: 0o644)
        for name in ["events", "blob", "sealed", "archive"] {
            try #require(chmod(file(name), 0o644) == 0)
        }
    }
}
