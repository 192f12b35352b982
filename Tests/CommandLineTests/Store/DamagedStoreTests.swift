import GhostTestSupport
import Glibc
import StoreClient
import TestBasics
import Testing

/// What is brought out of a store that is read without the last of what was answered.
@Suite struct DamagedStoreTests {
    @Test func `a message file of a damaged store comes with a warning`() async throws {
        try await withControl { control, daemon in
            try await control.text("messages", "save", "alice", "one")
            try await setScene([UInt8](repeating: 7, count: 1 << 19), daemon)
            let folder = daemon.directory.path
            let whole = try await control.run("blobs", "export", "alice", "\(folder)/whole")
            #expect(whole.exitCode == 0 && !whole.errorOutput.contains("damaged"), "\(whole.errorOutput)")
            try await daemon.terminate()
            try await daemon.startAgain()
            try await setScene([1], daemon)
            try await daemon.kill9()
            unlink(daemon.stateDirectory + "/store.db-wal")
            var database = try #require(daemon.directory.bytes(of: "state/store.db"))
            database[database.count / 2] ^= 1
            try daemon.directory.write(database, to: "state/store.db")

            try await daemon.startAgain()
            #expect(try await control.json("status").first?["store_state"] == "database-damaged")
            let made = try await control.run("blobs", "export", "alice", "\(folder)/damaged")
            #expect(made.exitCode == 0, "\(made.errorOutput)")
            #expect(made.errorOutput.contains("warning: the store is damaged"), "\(made.errorOutput)")
        }
    }

    private func setScene(_ bytes: [UInt8], _ daemon: TestDaemon) async throws {
        let client = try await daemon.connect()
        try await client.setGlobalSceneValues([.set("key", .data(bytes))])
        await client.close()
    }
}
