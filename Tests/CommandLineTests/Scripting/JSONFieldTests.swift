import FoundationEssentials
import GhostTestSupport
import TestBasics
import Testing

/// Compares the fields that docs/cli.md lists for every command with the fields that the commands print.
@Suite struct JSONFieldTests {
    /// Commands whose output is described elsewhere or is not JSON.
    private static let others: Set<String> = [
        "messages export", "files cat", "shell", "rpc", "encode", "decode", "completions",
    ]

    @Test func `the table has a row for every command that prints JSON`() async throws {
        let told = try FieldTable().rows.reduce(into: Set<String>()) { $0.formUnion($1.commands) }
        let commands = try await CommandTree.leaves().filter { !$0.contains("help") }
        #expect(told == Set(commands).subtracting(Self.others))
    }

    @Test func `commands on data print the fields of the table`() async throws {
        try await withControl { control, daemon in
            let fields = try FieldCheck(control)
            let avatar = try daemon.directory.write([1, 2, 3], to: "avatar")
            try await fields.check("conversations create", "alice", "--display-name", "Alice")
            try await fields.check(
                "conversations update", "alice", "--avatar-file", avatar, "--keep-for", "30d", "--keep-count", "1000",
                "--expire-after", "7d", "--kind", "group", "--metadata", avatar, "--metadata-type", "a/b")
            try await checkMembers(fields)
            try await fields.check(
                "messages save", "alice", "--id", "m1", "--attachment-url", "u", "--attachment-type", "t",
                "--reply-to", "m0", "--kind", "notice", "--sender-name", "Bob", "--metadata", avatar, "--metadata-type",
                "a/b", "hello")
            try await fields.check("messages edit", "m1", "hello again")
            try await fields.check("messages status", "sent", "m1")
            try await fields.check("messages mark-read", "m1")
            try await fields.check("messages react", "m1", "👍", "--by", "bob")
            try await fields.check("messages reactions", "m1")
            try await fields.check("messages list", "alice")
            try await fields.check("messages list")
            try await checkAttachments(fields, control, avatar, target: daemon.directory.file("got"))
            try await fields.check("messages get", "m1")
            try await fields.check("search messages", "hello")
            try await fields.check("search rebuild")
            try await fields.check("messages follow", "alice", "--after", "0", "--count", "1")
            try await fields.check("conversations mark-read", "alice")
            try await fields.check(
                "drafts save", "alice", "--attachment-url", "u", "--attachment-type", "t", "--reply-to", "m0", "draft")
            try await fields.check("drafts show", "alice")
            try await fields.check("drafts list")
            try await fields.check("drafts delete", "alice")
            try await fields.check("conversations list")
            try await fields.check("search conversations", "alice")
            try await fields.check("conversations get", "alice", "--avatar")
            try await fields.check(
                "contacts save", "bob", "--notes", "n", "--display-name", "B", "--avatar-file", avatar, "--metadata",
                avatar, "--metadata-type", "a/b")
            try await checkContacts(fields)
            try await fields.check("scenes set", "main", "key", "value")
            try await fields.check("scenes get", "main")
            try await fields.check("scenes list")
            try await fields.check("scenes list", "main")
            try await fields.check("scenes watch", "main", "--after", "0", "--count", "1")
            try await fields.check("changes list")
            try await fields.check("watch", "--after", "0", "--count", "1")
            try await fields.check("changes compact", "--through", "1")
            let lines = try daemon.directory.write(
                Array(#"{"text": "x", "conversation_session_id": "carl"}"#.utf8), to: "l")
            try await fields.check("messages import", lines)
            try await fields.check("messages unreact", "m1", "👍", "--by", "bob")
            try await fields.check("messages delete", "m1")
            try await fields.check("contacts delete", "bob")
            try await fields.check("conversations delete", "carl", "--yes")
            try await fields.check("scenes remove", "main")
            try await fields.check("stats")
            try await fields.check(
                "doctor", "--skip", "key-memory", "--skip", "disk-space", "--skip", "backups", "--skip", "groups")
            try await fields.check("clear-all-data", "--yes")
            let untested = fields.unseen { row in
                !row.commands.contains {
                    $0.hasPrefix("logs") || $0.hasPrefix("blobs") || $0.hasPrefix("files") || $0.hasPrefix("archive")
                        || $0.hasPrefix("replication") || Self.isAdministration($0)
                }
            }
            #expect(untested.isEmpty)
        }
    }

    private func checkAttachments(
        _ fields: FieldCheck, _ control: Control, _ file: String, target: String
    ) async throws {
        try await control.text(
            "messages", "save", "bob", "--id", "m7", "--attach", file + ":image/png", "--attach-metadata", file,
            "--attach-metadata-type", "a/b", "text")
        try await fields.check("attachments list", "bob")
        try await fields.check("attachments list")
        try await fields.check("attachments usage")
        try await fields.check("attachments get", "m7", "0", target)
    }

    private func checkMembers(_ fields: FieldCheck) async throws {
        try await fields.check("conversations members set", "alice", "bob", "--name", "Bob", "--role", "admin")
        try await fields.check("conversations members list", "alice")
        try await fields.check("conversations members remove", "alice", "bob")
    }

    private func checkContacts(_ fields: FieldCheck) async throws {
        try await fields.check("contacts list")
        try await fields.check("search contacts", "bob")
        try await fields.check("contacts get", "bob", "--avatar")
        try await fields.check("contacts block", "bob")
        try await fields.check("contacts unblock", "bob")
    }

    @Test func `commands on files print the fields of the table`() async throws {
        try await withControl { control, daemon in
            let fields = try FieldCheck(control)
            let file = try daemon.directory.write([1, 2, 3], to: "file")
            try await fields.check("files put", file, "document/a/f", "-p")
            try await fields.check("files mkdir", "document/b")
            try await fields.check("files cp", "document/a", "document/c")
            try await fields.check("files mv", "document/c", "document/d")
            for command in ["files ls", "files tree", "files du"] {
                try await fields.check(command, "document")
            }
            try await fields.check("files ls")
            try await fields.check("files usage")
            try await fields.check("files stat", "document/a/f")
            try await fields.check("files get", "document/a/f", daemon.directory.file("got"))
            try await fields.check("files get", "-r", "document/d", daemon.directory.file("tree"))
            try await fields.check("files put", "--resume", file, "document/a/f")
            try await fields.check("files get", "--resume", "document/a/f", daemon.directory.file("again"))
            try await fields.check("files rm", "document/a/f")
            #expect(fields.unseen { row in row.commands.contains { $0.hasPrefix("files") } }.isEmpty)
        }
    }

    @Test func `commands on logs and message files print the fields of the table`() async throws {
        try await withControl { control, daemon in
            let fields = try FieldCheck(control)
            try await fields.check("logs open", "events", "--maximum-bytes", "1000")
            let metadata = try daemon.directory.write([1, 2, 3], to: "metadata")
            try await fields.check(
                "logs append", "events", "one", "--metadata", metadata, "--metadata-type", "a/b")
            _ = try await control.shell("printf '\\377' | \"$CTL\" logs append events")
            for command in ["logs read", "logs info"] {
                try await fields.check(command, "events")
            }
            try await fields.check("logs follow", "events", "--after", "0", "--count", "2")
            try await fields.check("logs list")
            try await fields.check("logs export", "events", daemon.directory.file("events.cache"))
            try await fields.check("logs import", "copy", daemon.directory.file("events.cache"))
            try await fields.check("logs delete", "events")
            try await control.text("replication", "create", "--name", "desk")
            try await fields.check("logs open", "shared", "--maximum-bytes", "1000", "--replicated")
            try await fields.check("logs append", "shared", "one")
            try await fields.check("logs read", "shared", "--all-devices")

            let secret = try daemon.directory.write(Array("passphrase".utf8), to: "secret")
            let recipient = try daemon.directory.write([9] + [UInt8](repeating: 0, count: 31), to: "recipient")
            let plain = daemon.directory.file("plain")
            let sealed = daemon.directory.file("sealed")
            let addressed = daemon.directory.file("addressed")
            try await control.text("messages", "save", "alice", "hello")
            try await fields.check("blobs export", "alice", plain)
            try await fields.check("blobs export", "alice", sealed, "--passphrase-file", secret)
            try await fields.check("blobs export", "alice", addressed, "--recipient", recipient)
            for file in [plain, sealed, addressed] {
                try await fields.check("blobs inspect", file)
            }
            try await fields.check("blobs inspect", sealed, "--passphrase-file", secret)
            try await fields.check("blobs import", "bob", plain)
            let archive = daemon.directory.file("archive")
            try await fields.check("archive create", archive)
            try await fields.check("archive verify", archive)
            try await fields.check("archive restore", archive, "--merge")
            let sealedArchive = daemon.directory.file("sealed-archive")
            let addressedArchive = daemon.directory.file("addressed-archive")
            try await fields.check("archive create", sealedArchive, "--passphrase-file", secret)
            try await fields.check("archive create", addressedArchive, "--recipient", recipient)
            let lines = daemon.directory.file("lines")
            try await fields.check("archive create", lines, "--json-lines")
            var changes = try LinesFolder(at: daemon.directory.file("changes"))
            changes.makeOfChanges()
            try changes.write(changes.lines)
            for file in [archive, sealedArchive, addressedArchive, lines, changes.path] {
                try await fields.check("archive show", file)
            }
            let untested = fields.unseen { row in
                row.commands.contains {
                    ($0.hasPrefix("logs") && $0 != "logs delete") || $0.hasPrefix("blobs") || $0.hasPrefix("archive")
                }
            }
            // The field `device` needs a second device that appends to the log.
            #expect(untested.filter { $0 != "device" }.isEmpty)
        }
    }

    @Test func `commands of administration print the fields of the table`() async throws {
        try await withUninitializedControl { control, daemon in
            let fields = try FieldCheck(control)
            let old = try daemon.directory.write(Array("old words".utf8), to: "old")
            let new = try daemon.directory.write(Array("new words".utf8), to: "new")
            try await fields.check("init", "--passphrase-file", old, "--low-cost")
            try await fields.check("lock")
            try await fields.check("unlock", "--passphrase-file", old)
            try await fields.check("keys add", "--passphrase-file", old, "--new-key-file", daemon.keyFilePath)
            try await fields.check("keys list")
            try await fields.check("keys remove", "2", "--passphrase-file", old)
            try await fields.check(
                "keys change-passphrase", "--passphrase-file", old, "--new-passphrase-file", new, "--low-cost")
            try await fields.check("keys rotate")
            for command in ["status", "clients", "stats", "metrics", "check"] {
                try await fields.check(command)
            }
            try await fields.check("top", "--once", "--interval", "100ms")
            let file = daemon.directory.file("backup")
            try await fields.check("backup create", "--output", file)
            let name = try #require(try await fields.check("backup upload", file).first?["name"]?.text)
            try await fields.check("backup list")
            try await fields.check("backup verify", name)
            try await fields.check("backup restore", name, "--replace")
            try await fields.check("backup download", name, "--output", file, "--force")
            try await fields.check("backup prune", "--keep-last", "1", "--uploads")
            try await fields.check("backup delete", "replaced")
            try await checkReplication(fields, daemon)
            #expect(fields.unseen { $0.commands.contains(where: Self.isAdministration) }.isEmpty)
        }
    }

    /// `ReplicationCommandTests` checks the fields that need two devices.
    private func checkReplication(_ fields: FieldCheck, _ daemon: TestDaemon) async throws {
        try await fields.check("replication create", "--name", "desk", "--take-part", "contacts")
        try await fields.check("replication status")
        try await fields.check("replication invite", "--code-output", daemon.directory.file("code"))
        try await fields.check("replication leave", "--yes")
    }

    private static func isAdministration(_ command: String) -> Bool {
        command.hasPrefix("keys") || command.hasPrefix("backup")
            || ["init", "lock", "unlock", "status", "clients", "stats", "metrics", "top", "check"].contains(command)
    }
}

/// Runs commands with `--json`, compares their output with the table, and records the fields that occurred.
private final class FieldCheck {
    private let control: Control
    private let table: FieldTable
    private var seen: [Set<String>]

    init(_ control: Control) throws {
        self.control = control
        table = try FieldTable()
        seen = table.rows.map { _ in [] }
    }

    @discardableResult
    func check(
        _ command: String, _ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> [JSON] {
        let words = command.split(separator: " ").map(String.init)
        let result = try await control.run(words + arguments + ["--json"])
        #expect(result.exitCode == 0, "\(command): \(result.errorOutput)", sourceLocation: sourceLocation)
        let objects = try JSON.lines(result.output)
        #expect(!objects.isEmpty, "\(command) prints nothing", sourceLocation: sourceLocation)
        for object in objects {
            let names = object.names
            let index = table.rows.firstIndex {
                $0.commands.contains(command) && names.isSuperset(of: $0.required) && names.isSubset(of: $0.all)
            }
            guard let index else {
                Issue.record(
                    "docs/cli.md tells of other fields: \(command) \(names.sorted())", sourceLocation: sourceLocation)
                continue
            }
            seen[index].formUnion(names)
        }
        return objects
    }

    /// Returns the fields that the table lists and that no command has printed.
    func unseen(in isWanted: (FieldTable.Row) -> Bool) -> [String] {
        zip(table.rows, seen).filter { isWanted($0.0) }.flatMap { $0.0.all.subtracting($0.1) }.sorted()
    }
}
