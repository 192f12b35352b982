import GhostTestSupport
import StoreClient
import Testing

/// What is deleted leaves the disk also when the daemon is killed in between.
@Suite(.oneAtATime) struct RemovedContentTests {
    @Test func `a WAL left by kill -9 after a delete is emptied soon after the next start`() async throws {
        try await withDaemonAndClient { daemon, client in
            let log = "\(daemon.databasePath)-wal"
            _ = try await client.saveMessage(
                NewMessage(
                    id: "gone", conversation: .sessionID("05gone"), text: String(repeating: "secret ", count: 1_000)))
            #expect(try await client.deleteMessages(["gone"]).deletedCount == 1)
            try await daemon.kill9()
            #expect(StateFiles.size(log) > 0)
            try await daemon.startAgain()
            try await eventually("the WAL is empty") { StateFiles.size(log) == 0 }
        }
    }
}
