import GhostTestSupport
import TestBasics
import Testing

@Suite struct BackupCommandTests {
    @Test func `a backup is created, downloaded, verified and restored`() async throws {
        try await withControl { control, daemon in
            try await control.text("messages", "save", "alice", "--id", "m1", "before")
            let file = daemon.directory.file("store.backup")
            let made = try await control.json("backup", "create", "--output", file)
            #expect(made.first?["is_complete"] == true)
            #expect(try await Program.shell("stat -c %a '\(file)'").output == "600\n")
            #expect(try await control.json("backup", "list").isEmpty)
            #expect(try await control.json("backup", "verify", "--file", file).first?["is_clean"] == true)
            try await control.text("messages", "save", "alice", "--id", "m2", "after")
            #expect(try await control.run("backup", "restore", "--file", file).exitCode == 3)
            let restored = try await control.json("backup", "restore", "--file", file, "--replace")
            #expect(restored.first?["message_count"] == 1)
            #expect(try await control.run("messages", "get", "m2").exitCode == 2)
            #expect(try await control.json("messages", "get", "m1").first?["text"] == "before")
        }
    }

    @Test func `backups of the daemon are listed, downloaded, uploaded and deleted`() async throws {
        try await withControl { control, daemon in
            try await control.text("messages", "save", "alice", "hello")
            let made = try await control.json("backup", "create")
            let name = try #require(made.first?["name"]?.text)
            #expect(try await control.text("backup", "list").contains(name))
            let file = daemon.directory.file("copy")
            try await control.text("backup", "download", name, "--output", file)
            #expect(try await control.run("backup", "download", name, "--output", file).exitCode == 73)
            try await control.text("backup", "download", name, "--output", file, "--force")
            let uploaded = try #require(try await control.json("backup", "upload", file).first?["name"]?.text)
            #expect(try await control.text("backup", "verify", uploaded).contains("clean"))
            #expect(try await control.json("backup", "list").count == 2)
            try await control.text("backup", "delete", name)
            try await control.json("backup", "delete", uploaded)
            #expect(try await control.text("backup", "list") == "no backups\n")
            #expect(try await control.run("backup", "delete", name).exitCode == 2)
            #expect(try await control.run("backup", "verify", "no-such-backup").exitCode != 0)
        }
    }

    @Test func `restoring a backup with other keys warns that the configured key does not open the store`() async throws
    {
        try await withControl { control, daemon in
            let file = daemon.directory.file("store.backup")
            try await control.text("backup", "create", "--output", file)
            let same = try await control.run("backup", "restore", "--file", file, "--replace")
            #expect(same.exitCode == 0 && !same.errorOutput.contains("warning"))
            try await withControl { other, _ in
                let restored = try await other.run(
                    "backup", "restore", "--file", file, "--replace", "--key-file", daemon.keyFilePath)
                #expect(restored.exitCode == 0)
                #expect(restored.errorOutput.contains("the daemon's configured key does not open it"))
                #expect(restored.errorOutput.contains("ghoststorectl keys add"))
            }
        }
    }

    @Test func `a damaged backup has an exit status of its own`() async throws {
        try await withControl { control, daemon in
            try await control.text("messages", "save", "alice", "hello")
            let file = daemon.directory.file("store.backup")
            try await control.text("backup", "create", "--output", file)
            let flip = "printf '\\377\\000\\377\\000' | dd of='\(file)' bs=1 seek=9000 conv=notrunc status=none"
            _ = try await Program.shell(flip)
            let result = try await control.run("backup", "verify", "--file", file)
            #expect(result.exitCode == 4, "\(result.errorOutput)")
            #expect(try await control.text("backup", "list") == "no backups\n")
        }
    }
}
