import GhostTestSupport
import StoreClient
import TestBasics
import Testing

/// Checks the rule of docs/cli.md for `--quiet` with every command: the output contains names and nothing else.
@Suite struct QuietTests {
    private enum Printed {
        case nothing
        case names([String])
        /// At least one name. The test cannot know the names in advance, but each must match this pattern.
        case namesLike(String)
        /// The data that the command exists to print.
        case data
        /// An error with exit status 64, because the command has no names to print.
        case refused
    }

    /// A command that is run with `-q`.
    private struct Trial {
        /// The words of the command. `@name` stands for the path of the file `name` in the daemon's folder. `LAST`
        /// stands for the output of the last earlier trial that printed exactly one line.
        let words: [String]
        let printed: Printed
        var input = ""

        /// - Parameter command: the words of the command, separated by spaces.
        init(_ command: String, _ printed: Printed, input: String = "") {
            words = command.split(separator: " ").map(String.init)
            self.printed = printed
            self.input = input
        }
    }

    private static let uuid = "[0-9a-f-]{36}"
    private static let number = "[0-9]+"
    private static let device = "[0-9a-f]{16}"
    private static let any = ".+"

    /// Trials about data. Each trial needs the data that the trials before it created.
    private static let ofData: [Trial] = [
        Trial("conversations create alice", .names(["alice"])), Trial("conversations get alice", .names(["alice"])),
        Trial("conversations list", .names(["alice"])), Trial("conversations update alice --pinned", .nothing),
        Trial("conversations update alice --keep-count 9 --dry-run", .nothing),
        Trial("messages save alice hello --id m1 --attach @secret", .names(["m1"])),
        Trial("messages save alice hi", .namesLike(uuid)), Trial("messages get LAST", .namesLike(uuid)),
        Trial("messages list alice --oldest-first --limit 1", .namesLike("m1|" + uuid)),
        Trial("messages list --oldest-first --limit 1", .namesLike("m1|" + uuid)),
        Trial("messages edit m1 hello", .nothing), Trial("messages status m1 sent", .nothing),
        Trial("messages mark-read m1", .nothing), Trial("conversations mark-read alice", .nothing),
        Trial("messages react m1 👍 --by bob", .nothing), Trial("messages reactions m1", .names(["bob"])),
        Trial("messages unreact m1 👍 --by bob", .nothing),
        Trial("messages follow alice --after 0 --count 1", .names(["m1"])), Trial("messages export alice", .data),
        Trial("messages export alice --output @export", .nothing),
        Trial(
            "messages import -", .nothing,
            input: #"{"id": "m2", "text": "x", "conversation_session_id": "carl"}"#),
        Trial("attachments list", .names(["m1"])),
        Trial("attachments list alice", .names(["m1"])), Trial("attachments get m1 0 -", .data),
        Trial("attachments get m1 0 @attachment", .nothing), Trial("attachments usage", .nothing),
        Trial("drafts save alice draft", .nothing), Trial("drafts show alice", .namesLike(uuid)),
        Trial("drafts list", .namesLike(uuid)), Trial("drafts delete alice", .nothing),
        Trial("contacts save bob", .nothing), Trial("contacts get bob", .names(["bob"])),
        Trial("contacts list", .names(["bob"])), Trial("search contacts bob", .names(["bob"])),
        Trial("search messages hello", .names(["m1"])), Trial("search conversations alice", .names(["alice"])),
        Trial("search rebuild", .nothing), Trial("contacts block bob", .nothing),
        Trial("contacts unblock bob", .nothing), Trial("contacts delete bob", .nothing),
        Trial("scenes set main k v", .nothing), Trial("scenes get main", .names(["k"])),
        Trial("scenes get main k --raw", .refused), Trial("scenes list", .names(["main"])),
        Trial("scenes list main", .names(["k"])), Trial("scenes watch main --after 0 --count 1", .namesLike(any)),
        Trial("scenes remove main", .nothing), Trial("logs open events --maximum-bytes 4096", .names(["events"])),
        Trial("logs append events one two", .nothing), Trial("logs info events", .names(["events"])),
        Trial("logs list", .names(["events"])), Trial("logs read events", .namesLike(number)),
        Trial("logs read events --raw", .refused), Trial("logs follow events --raw", .refused),
        Trial("logs follow events --after 0 --count 1", .namesLike(number)), Trial("logs export events -", .data),
        Trial("logs export events @events", .nothing), Trial("logs import copy @events", .nothing),
        Trial("logs delete copy", .nothing), Trial("files put @secret document/f", .nothing),
        Trial("files mkdir document/d", .nothing), Trial("files cp document/f document/g", .nothing),
        Trial("files mv document/g document/d/g", .nothing), Trial("files ls document", .names(["d", "f"])),
        Trial("files tree document/d", .names(["document/d/g"])), Trial("files stat document/f", .names(["f"])),
        Trial("files cat document/f", .data), Trial("files get document/f -", .data),
        Trial("files get document/f @got", .nothing), Trial("files du document", .nothing),
        Trial("files usage", .namesLike("[A-Za-z]+")), Trial("files rm document/f", .nothing),
        Trial("blobs export alice @blob", .nothing), Trial("blobs inspect @blob", .nothing),
        Trial("blobs import carl @blob", .nothing), Trial("archive create @archive", .nothing),
        Trial("archive show @archive", .nothing), Trial("archive verify @archive", .nothing),
        Trial("archive restore @archive --merge", .nothing), Trial("messages delete m1", .nothing),
        Trial("conversations members set carl bob", .nothing),
        Trial("conversations members list carl", .names(["bob"])),
        Trial("conversations members remove carl bob", .nothing),
        Trial("conversations delete carl --yes", .nothing), Trial("watch --after 0 --count 1", .namesLike(any)),
        Trial("changes list", .namesLike(any)), Trial("changes compact --through 1", .nothing),
    ]

    private static let ofAdministration: [Trial] = [
        Trial("status", .nothing), Trial("stats", .nothing), Trial("check", .nothing),
        Trial("metrics", .namesLike("[a-z][a-z0-9_]*")), Trial("metrics --textfile @metrics", .nothing),
        Trial("top --once", .refused), Trial("clients", .namesLike(number)),
        Trial("doctor --skip key-memory --skip disk-space --skip backups --skip groups", .nothing),
        Trial("shell", .names(["bob"]), input: "contacts save bob\ncontacts list\n"),
        Trial("rpc -", .data, input: #"{"ping": {}}"#), Trial("encode", .data, input: #"{"ping": {}}"#),
        Trial("decode", .nothing), Trial("completions bash", .data), Trial("backup create", .namesLike(any)),
        Trial("backup verify LAST", .nothing), Trial("backup download LAST --output @backup", .nothing),
        Trial("backup restore LAST --replace", .nothing), Trial("backup upload @backup", .namesLike(any)),
        Trial("backup delete LAST", .nothing), Trial("backup create", .namesLike(any)),
        Trial("backup prune --keep-last 1 --dry-run", .namesLike(any)), Trial("backup prune --keep-last 1", .nothing),
        Trial("backup list", .namesLike(any)), Trial("keys list", .names(["1"])),
        Trial("keys add --key-file @key --new-passphrase-file @secret --low-cost", .names(["2"])),
        Trial("keys add --key-file @key --new-recovery-code --recovery-code-output @code", .names(["3"])),
        Trial("keys change-passphrase --passphrase-file @secret --new-passphrase-file @other --low-cost", .nothing),
        Trial("keys remove 2 --key-file @key", .nothing), Trial("keys rotate", .nothing), Trial("lock", .nothing),
        Trial("unlock --key-file @key", .nothing), Trial("clear-all-data --yes", .nothing),
    ]

    /// Trials on the first of the two devices of a replica group.
    private static let ofFirstDevice: [Trial] = [
        Trial("replication create --name desk", .namesLike(device)), Trial("replication status", .namesLike(device)),
        Trial("replication lost-edits", .nothing), Trial("replication dismiss-edit 7", .nothing),
        Trial("replication invite", .data),
    ]
    private static let ofSecondDevice: [Trial] = [
        Trial("init --passphrase-file @secret --low-cost", .nothing),
        Trial("replication join --name lap --code-file @code", .namesLike(device)),
    ]
    private static let ofLeaving: [Trial] = [
        Trial("replication remove lap --yes", .nothing), Trial("replication leave --yes", .nothing),
    ]

    @Test func `every command has a trial`() async throws {
        let leaves = try await CommandTree.leaves().filter { $0 != "help" }
        let trials = [Self.ofData, Self.ofAdministration, Self.ofFirstDevice, Self.ofSecondDevice, Self.ofLeaving]
        let tried = trials.joined().map { trial in
            let line = trial.words.joined(separator: " ") + " "
            return leaves.filter { line.hasPrefix($0 + " ") }.max { $0.utf8.count < $1.utf8.count } ?? line
        }
        #expect(Set(tried) == Set(leaves))
    }

    @Test func `commands on data print names only`() async throws {
        try await withControl { control, daemon in
            _ = try await Self.run(Self.ofData, control, daemon)
        }
    }

    @Test func `commands of administration print names only`() async throws {
        try await withDaemon(.allowingLowCost) { daemon in
            let control = Control(daemon)
            try await Self.run(Self.ofAdministration, control, daemon)
            let metrics = try await control.text("metrics", "-q").split(separator: "\n")
            #expect(metrics.count > 20 && Set(metrics).count == metrics.count, "\(metrics)")
        }
    }

    @Test func `commands of a replica group print names only`() async throws {
        try await withControl { first, firstDaemon in
            try await withUninitializedControl { second, secondDaemon in
                let code = try await Self.run(Self.ofFirstDevice, first, firstDaemon)
                try secondDaemon.directory.write(code, to: "code")
                try await Self.run(Self.ofSecondDevice, second, secondDaemon)
                let clients = [try await firstDaemon.connect(), try await secondDaemon.connect()]
                try await carryGroupMessages(clients)
                try await Self.run(Self.ofLeaving, first, firstDaemon)
                for client in clients {
                    await client.close()
                }
            }
        }
    }

    @Test func `a code on standard output is the only output`() async throws {
        try await withDaemon(.allowingLowCost) { daemon in
            let added = try await Control(daemon).run(
                "keys", "add", "--key-file", daemon.keyFilePath, "--new-recovery-code", "-q")
            #expect(added.exitCode == 0 && added.output.split(separator: "\n").count == 1, "\(added)")
            #expect(added.output.count > 20 && added.errorOutput.hasPrefix("2\n"), "\(added)")
        }
    }

    /// - Returns: the output of the last trial.
    @discardableResult
    private static func run(_ trials: [Trial], _ control: Control, _ daemon: TestDaemon) async throws -> String {
        try daemon.directory.write(Array("correct horse battery\n".utf8), to: "secret")
        try daemon.directory.write(Array("staple and more\n".utf8), to: "other")
        var last = ""
        var output = ""
        for trial in trials {
            let words = trial.words.map {
                $0 == "LAST" ? last : $0.hasPrefix("@") ? daemon.directory.file(String($0.dropFirst())) : $0
            }
            let result = try await control.run(["-q"] + words, input: Array(trial.input.utf8))
            output = result.output
            let lines = output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
            let comment: Comment = "\(trial.words): \(output) \(result.errorOutput)"
            var status: Int32 = 0
            switch trial.printed {
            case .nothing: #expect(output.isEmpty, comment)
            case .names(let names): #expect(lines == names, comment)
            case .namesLike(let form):
                let form = try Regex(form)
                #expect(try !lines.isEmpty && lines.allSatisfy { try form.wholeMatch(in: $0) != nil }, comment)
            case .data: #expect(!output.isEmpty, comment)
            case .refused:
                status = 64
                #expect(output.isEmpty && result.errorOutput.contains("--quiet"), comment)
            }
            #expect(result.exitCode == status, comment)
            if lines.count == 1 { last = lines[0] }
        }
        return output
    }
}
