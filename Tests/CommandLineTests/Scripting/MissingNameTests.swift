import GhostTestSupport
import TestBasics
import Testing

/// Errors about missing objects contain the kind and the name of the object.
@Suite struct MissingNameTests {
    /// A command line with the name of a missing object, and the kind and the name that the error must contain.
    private static let missing: [(words: [String], kind: String, name: String)] = [
        (["messages", "get", "m2"], "message", "m2"), (["messages", "edit", "m2", "text"], "message", "m2"),
        (["messages", "delete", "m1", "m2", "m3"], "message", "m2"),
        (["messages", "status", "m1", "m9", "sent"], "message", "m9"),
        (["messages", "mark-read", "m1", "m4"], "message", "m4"),
        (["messages", "react", "m2", "👍", "--by", "alice"], "message", "m2"),
        (["messages", "unreact", "m2", "👍", "--by", "alice"], "message", "m2"),
        (["messages", "reactions", "m2"], "message", "m2"),
        (["messages", "save", "c1", "text", "--by-id"], "conversation", "c1"),
        (["drafts", "save", "c1", "text", "--by-id"], "conversation", "c1"),
        (["drafts", "show", "bob"], "conversation", "bob"), (["drafts", "delete", "bob"], "conversation", "bob"),
        (["search", "messages", "x", "--in", "bob"], "conversation", "bob"),
        (["attachments", "list", "bob"], "conversation", "bob"),
        (["attachments", "list", "--message", "m2"], "message", "m2"),
        (["attachments", "get", "m2", "0", "-"], "message", "m2"),
        (["messages", "list", "bob"], "conversation", "bob"), (["messages", "export", "bob"], "conversation", "bob"),
        (["messages", "follow", "bob"], "conversation", "bob"), (["watch", "bob"], "conversation", "bob"),
        (["changes", "list", "bob"], "conversation", "bob"), (["conversations", "get", "bob"], "conversation", "bob"),
        (["conversations", "update", "bob", "--pinned"], "conversation", "bob"),
        (["conversations", "mark-read", "bob"], "conversation", "bob"),
        (["conversations", "delete", "bob"], "conversation", "bob"),
        (["conversations", "members", "list", "bob"], "conversation", "bob"),
        (["conversations", "members", "set", "bob", "ann"], "conversation", "bob"),
        (["conversations", "members", "remove", "bob", "ann"], "conversation", "bob"),
        (["blobs", "export", "bob", "/dev/null"], "conversation", "bob"),
        (["blobs", "import", "c1", "BLOB", "--by-id"], "conversation", "c1"),
        (["contacts", "get", "carl"], "contact", "carl"), (["contacts", "delete", "carl"], "contact", "carl"),
        (["contacts", "unblock", "carl"], "contact", "carl"), (["logs", "append", "events", "x"], "log", "events"),
        (["logs", "read", "events"], "log", "events"), (["logs", "follow", "events"], "log", "events"),
        (["logs", "info", "events"], "log", "events"), (["logs", "delete", "events"], "log", "events"),
        (["logs", "export", "events", "-"], "log", "events"), (["scenes", "remove", "main"], "scene", "main"),
        (["scenes", "get", "main", "key"], "key", "key"),
        (["files", "cat", "document/a"], "file", "document/a"), (["files", "stat", "cache/a"], "file", "cache/a"),
        (["files", "get", "document/a", "-"], "file", "document/a"), (["files", "rm", "cache/a"], "file", "cache/a"),
        (["files", "mv", "cache/a", "cache/b"], "file", "cache/a"),
        (["files", "cp", "cache/a", "cache/b"], "file", "cache/a"),
        (["files", "rm", "-r", "cache/a"], "directory", "cache/a"),
        (["files", "ls", "cache/a"], "directory", "cache/a"),
        (["files", "tree", "cache/a"], "directory", "cache/a"), (["files", "du", "cache/a"], "directory", "cache/a"),
        (["files", "get", "-r", "cache/a", "/dev/null"], "directory", "cache/a"),
        (["keys", "remove", "7", "--key-file", "KEY"], "key slot", "7"),
        (["backup", "verify", "store-1"], "backup", "store-1"),
        (["backup", "restore", "store-2", "--replace"], "backup", "store-2"),
        (["backup", "delete", "store-3"], "backup", "store-3"),
        (["backup", "download", "store-4", "--output", "-"], "backup", "store-4"),
        (["replication", "remove", "lap", "--yes"], "device", "lap"),
    ]

    /// Commands that accept the name of an object that does not exist, because they create or list objects.
    private static let makingOrListing: Set<String> = [
        "conversations create", "contacts save", "contacts block", "logs open", "logs import", "scenes set",
        "scenes list", "scenes watch", "files put", "files mkdir",
    ]

    private static let names: Set<String> = [
        "<conversation>", "<session>", "<id>", "<ids>", "<id ... status>", "<log>", "<scene>", "<slot>", "<name>",
        "<path>", "<device>",
    ]

    @Test func `the error about a missing object names its kind and its name`() async throws {
        try await withControl { control, daemon in
            try await control.text("messages", "save", "alice", "--id", "m1", "hi")
            try await control.text("replication", "create", "--name", "desk")
            let blob = daemon.directory.file("blob")
            try await control.text("blobs", "export", "alice", blob)
            for (words, kind, name) in Self.missing {
                let files = ["BLOB": blob, "KEY": daemon.keyFilePath]
                let result = try await control.run(words.map { files[$0] ?? $0 } + ["--json"])
                #expect(result.exitCode == 2, "\(words): \(result.errorOutput)")
                let error = try #require(try JSON.lines(result.errorOutput).last?["error"], "\(words)")
                let message = error["message"]?.text ?? ""
                let cause = message.prefix { $0 != ";" }
                #expect(cause.hasPrefix("there is no such \(kind)") && cause.hasSuffix(": \(name)"), "\(message)")
                #expect(error["code"] == "NOT_FOUND" && error["reason"]?.text?.hasSuffix("_NOT_FOUND") == true)
            }
            #expect(try await control.json("stats").first?["message_count"] == 1)
        }
    }

    @Test func `every command that names an object has a test`() async throws {
        let naming = try await CommandTree.whole().filter { _, command in
            (command.arguments ?? []).contains { $0.kind == .positional && Self.names.contains($0.title) }
        }
        let tried = Self.missing.map { $0.words.prefix { !$0.isEmpty } }
        for (path, _) in naming where !Self.makingOrListing.contains(path.joined(separator: " ")) {
            #expect(tried.contains { $0.starts(with: path) }, "\(path)")
        }
        // All other operands of commands are not names of stored objects.
        let others = try await CommandTree.whole().flatMap { $0.command.arguments ?? [] }
            .filter { $0.kind == .positional }.map(\.title)
        let unnamed: Set = [
            "<file>", "<text>", "<key value>", "<keys>", "<messages>", "<request>", "<shell>", "<emoji>", "<query>",
            "<place>", "<position>", "<member>", "<members>", "<edit>",
        ]
        #expect(Set(others).subtracting(Self.names).isSubset(of: unnamed), "\(Set(others))")
    }
}
