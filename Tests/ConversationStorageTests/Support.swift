import ConversationStorage
import GhostTestSupport

/// Runs `body` with a storage manager that is connected to a daemon started for this call.
func withStorage(
    _ options: TestDaemonOptions = TestDaemonOptions(), _ body: (StorageManager) async throws -> Void
) async throws {
    try await withDaemon(options) { daemon in
        let storage = try await StorageManager(socketPath: daemon.socketPath)
        try await body(storage)
        await storage.close()
    }
}
