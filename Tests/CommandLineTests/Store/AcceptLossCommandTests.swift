import GhostTestSupport
import TestBasics
import Testing

@Suite struct AcceptLossCommandTests {
    @Test func `a store that has lost acknowledged writes opens only with --accept-loss`() async throws {
        try await withControl { control, daemon in
            try await control.text("messages", "save", "alice", "one")
            try await daemon.terminate()
            let older = try #require(daemon.directory.bytes(of: "state/store.db"))
            try await daemon.startAgain()
            for number in 2...9 {
                try await control.text("messages", "save", "alice", "\(number)")
            }
            // After a delete, the journal contains nothing that could be replayed on an older state of the database.
            try await control.text("messages", "save", "bob", "gone")
            try await control.text("conversations", "delete", "bob", "--yes")
            try await daemon.terminate()
            try daemon.directory.write(older, to: "state/store.db")
            try await daemon.startAgain()

            #expect(try await control.json("status").first?["store_state"] == "rolled-back")
            #expect(try await control.text("status").contains("rolled-back"))
            let refused = try await control.run("unlock", "--key-file", daemon.keyFilePath)
            #expect(refused.exitCode == 4)
            #expect(refused.errorOutput.contains("[DATA_LOSS STORE_ROLLED_BACK]"), "\(refused.errorOutput)")
            // The hint proposes only steps that lose no data.
            #expect(refused.errorOutput.contains("copy its state directory"), "\(refused.errorOutput)")
            #expect(!refused.errorOutput.contains("--accept-loss"), "\(refused.errorOutput)")
            #expect(try await control.run("messages", "list", "alice").exitCode == 4)

            try await control.text("unlock", "--accept-loss", "--key-file", daemon.keyFilePath)
            #expect(try await control.json("messages", "list", "alice").count == 1)
            let missing = try #require(try await control.json("status").first?["revisions_missing"]?.integer)
            #expect(missing >= 8)
            let text = try await control.text("status")
            #expect(
                text.contains(
                    """
                    \(missing) acknowledged revisions dropped when the store was last opened
                    """), "\(text)")
        }
    }
}
