import GhostTestSupport
import Glibc
import StoreClient
import TestBasics
import Testing

/// What is brought out of a store that is read without the last of what was answered.
@Suite struct DamagedStoreTests {
    @Test func `archives and message files of a damaged store come with a warning`() async throws {
        try await withControl { control, daemon in
            try await control.text("messages", "save", "alice", "one")
            try await setScene([UInt8](repeating: 7, count: 1 << 19), daemon)
            let folder = daemon.directory.path
            let since = try #require(try await control.json("status").first?["revision"]?.integer)
            for arguments in Self.commands(folder, "whole", since) {
                let made = try await control.run(arguments)
                #expect(
                    made.exitCode == 0 && !made.errorOutput.contains("damaged"), "\(arguments): \(made.errorOutput)")
            }
            try await daemon.terminate()
            try await daemon.startAgain()
            try await setScene([1], daemon)
            try await daemon.kill9()
            unlink(daemon.databasePath + "-wal")
            var database = try #require(daemon.directory.bytes(of: "state/store.db"))
            database[database.count / 2] ^= 1
            try daemon.directory.write(database, to: "state/store.db")

            try await daemon.startAgain()
            #expect(try await control.json("status").first?["store_state"] == "database-damaged")
            for arguments in Self.commands(folder, "damaged", since) {
                let made = try await control.run(arguments)
                #expect(made.exitCode == 0, "\(arguments): \(made.errorOutput)")
                #expect(made.errorOutput.contains("warning: the store is damaged"), "\(arguments): \(made.errorOutput)")
            }
        }
    }

    /// None of them needs the damaged page.
    private static func commands(_ folder: String, _ name: String, _ since: Int) -> [[String]] {
        [
            ["archive", "create", "--since", "\(since)", "\(folder)/\(name).changes"],
            ["archive", "create", "--since", "\(since)", "--json-lines", "\(folder)/\(name).lines"],
            ["blobs", "export", "alice", "\(folder)/\(name).messages"],
        ]
    }

    private func setScene(_ bytes: [UInt8], _ daemon: TestDaemon) async throws {
        let client = try await daemon.connect()
        try await client.setGlobalSceneValues([.set("key", .data(bytes))])
        await client.close()
    }
}
