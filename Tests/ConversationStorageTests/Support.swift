import ConversationStorage
import GhostTestSupport

/// A daemon of its own and a storage manager connected to it.
func withStorage(
    _ options: TestDaemonOptions = TestDaemonOptions(), _ body: (StorageManager) async throws -> Void
) async throws {
    try await withDaemon(options) { daemon in
        let storage = try await StorageManager(socketPath: daemon.socketPath)
        try await body(storage)
        await storage.close()
    }
}
