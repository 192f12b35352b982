import FoundationEssentials
import GhostTestSupport
import TestBasics
import Testing

@Suite struct ArchiveCommandTests {
    @Test func `a sealed archive of one store is verified, and restored into another store`() async throws {
        try await withControl { control, daemon in
            try await control.text("messages", "save", "alice", "hello")
            try await control.text("contacts", "save", "alice", "--display-name", "Alice")
            let content = try daemon.directory.write([UInt8](repeating: 7, count: 100_000), to: "content")
            try await control.text("files", "put", "-p", content, "document/a/large")
            let right = try daemon.directory.write(Array("right passphrase\n".utf8), to: "right")
            let wrong = try daemon.directory.write(Array("wrong passphrase\n".utf8), to: "wrong")
            let archive = daemon.directory.file("store.archive")
            let made = try await control.json("archive", "create", archive, "--passphrase-file", right)
            #expect(made.first?["is_sealed"] == true)
            #expect(try await control.run("archive", "create", archive, "--passphrase-file", right).exitCode == 73)
            let verified = try await control.json("archive", "verify", archive, "--passphrase-file", right)
            #expect(verified.first?["counts"]?["messages"] == 1 && verified.first?["counts"]?["files"] == 1)
            #expect(try await control.run("archive", "verify", archive, "--passphrase-file", wrong).exitCode == 5)
            let equal = try await control.json("archive", "restore", archive, "--merge", "--passphrase-file", right)
            #expect(equal.first?["equal"]?["messages"] == 1 && equal.first?["added"]?["messages"] == 0)
            let full = try await control.run("archive", "restore", archive, "--passphrase-file", right)
            #expect(full.exitCode != 0 && full.errorOutput.contains("not empty"))
            try await withControl { other, _ in
                let told = try await other.json(
                    "archive", "restore", archive, "--dry-run", "--passphrase-file", right)
                #expect(told.first?["added"]?["files"] == 1 && told.first?["is_dry_run"] == true)
                try await other.text("archive", "restore", archive, "--passphrase-file", right)
                #expect(try await other.text("files", "cat", "document/a/large").utf8.count == 100_000)
                #expect(try await other.json("messages", "list", "alice").first?["text"] == "hello")
            }
        }
    }

    @Test func `an archive of the changes since a revision contains attachments and removals`() async throws {
        try await withControl { control, daemon in
            let content = try daemon.directory.write(Array("attached".utf8), to: "content")
            try await control.text("messages", "save", "alice", "--id", "m1", "--attach", content, "first")
            let (whole, changes) = (daemon.directory.file("whole"), daemon.directory.file("changes"))
            let revision = try #require(
                try await control.json("archive", "create", whole).first?["revision"]?.integer)
            try await control.text("messages", "save", "alice", "--id", "m2", "--attach", content, "second")
            try await control.text("messages", "delete", "m1")
            let made = try await control.json("archive", "create", changes, "--since", "\(revision)")
            #expect(made.first?["since_revision"]?.integer == revision)
            let verified = try await control.text("archive", "verify", changes)
            #expect(verified.contains("since revision") && verified.contains("removals"))
            #expect(try await control.run("archive", "create", "-", "--since", "99").exitCode != 0)
            try await withControl { other, _ in
                try await other.text("archive", "restore", whole)
                let report = try await other.json("archive", "restore", changes, "--merge")
                #expect(report.first?["updated"]?["removals"] == 1 && report.first?["added"]?["messages"] == 1)
                #expect(try await other.text("attachments", "get", "m2", "0", "-") == "attached")
                #expect(try await other.run("messages", "get", "m1").exitCode != 0)
            }
        }
    }

    @Test func `a damaged archive is reported with the damaged byte and changes nothing`() async throws {
        try await withControl { control, daemon in
            try await control.text("messages", "save", "alice", "hello")
            let archive = daemon.directory.file("store.archive")
            try await control.text("archive", "create", archive)
            var damaged = Array(try Data(contentsOf: URL(filePath: archive)))
            damaged[damaged.count / 2] ^= 1
            let path = try daemon.directory.write(damaged, to: "damaged.archive")
            try await withControl { other, _ in
                let failed = try await other.run("archive", "restore", path)
                #expect(failed.exitCode == 4 && failed.errorOutput.contains("byte "))
                #expect(try await other.run("messages", "list", "alice").exitCode == 2)
            }
        }
    }
}
