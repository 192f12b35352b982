import GhostTestSupport
import Glibc
import StoreClient
import TestBasics
import Testing

/// Exports from a damaged store, whose last acknowledged writes cannot be read.
@Suite struct DamagedStoreCommandTests {
    @Test func `an export of a message file from a damaged store warns`() async throws {
        try await withControl { control, daemon in
            try await control.text("messages", "save", "alice", "one")
            try await setScene([UInt8](repeating: 7, count: 1 << 19), daemon)
            let folder = daemon.directory.path
            let whole = try await control.run("blobs", "export", "alice", "\(folder)/whole")
            #expect(whole.exitCode == 0 && !whole.errorOutput.contains("damaged"), "\(whole.errorOutput)")
            try await damage(daemon)
            #expect(try await control.json("status").first?["store_state"] == "database-damaged")
            let made = try await control.run("blobs", "export", "alice", "\(folder)/damaged")
            #expect(made.exitCode == 0, "\(made.errorOutput)")
            #expect(made.errorOutput.contains("warning: the store is damaged"), "\(made.errorOutput)")
        }
    }

    /// An archive that contains only changes after the damaged value succeeds with a warning. An archive that needs the
    /// damaged pages fails.
    @Test(arguments: [false, true])
    func `an archive of a damaged store warns or fails`(asJSONLines: Bool) async throws {
        try await withControl { control, daemon in
            func create(_ name: String, since revision: String) async throws -> ProgramResult {
                let form = asJSONLines ? ["--json-lines"] : []
                return try await control.run(
                    ["archive", "create", daemon.directory.file(name), "--since", revision] + form)
            }
            try await setScene([UInt8](repeating: 7, count: 1 << 19), daemon)
            let revision = "\(try await revision(daemon))"
            try await control.text("messages", "save", "alice", "one")
            let whole = try await create("whole", since: revision)
            #expect(whole.exitCode == 0 && !whole.errorOutput.contains("damaged"), "\(whole.errorOutput)")
            try await damage(daemon)
            let made = try await create("damaged", since: revision)
            #expect(made.exitCode == 0, "\(made.errorOutput)")
            #expect(made.errorOutput.contains("warning: the store is damaged"), "\(made.errorOutput)")
            let refused = try await create("refused", since: "0")
            #expect(refused.exitCode != 0 && refused.errorOutput.contains("DATABASE_DAMAGED"))
            #expect(daemon.directory.bytes(of: "refused") == nil)
            let verified = try await Control.run(["archive", "show", daemon.directory.file("damaged")])
            #expect(verified.exitCode == 0, "\(verified.errorOutput)")
        }
    }

    /// Deletes the WAL after a kill, and flips a bit in a page that the journal's replay would change.
    private func damage(_ daemon: TestDaemon) async throws {
        try await daemon.terminate()
        try await daemon.startAgain()
        try await setScene([1], daemon)
        try await daemon.kill9()
        unlink(daemon.stateDirectory + "/store.db-wal")
        var database = try #require(daemon.directory.bytes(of: "state/store.db"))
        database[database.count / 2] ^= 1
        try daemon.directory.write(database, to: "state/store.db")
        try await daemon.startAgain()
    }

    private func revision(_ daemon: TestDaemon) async throws -> UInt64 {
        let client = try await daemon.connect()
        let revision = try await client.status().revision
        await client.close()
        return revision
    }

    private func setScene(_ bytes: [UInt8], _ daemon: TestDaemon) async throws {
        let client = try await daemon.connect()
        try await client.setGlobalSceneValues([.set("key", .data(bytes))])
        await client.close()
    }
}
