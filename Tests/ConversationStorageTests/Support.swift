import ConversationStorage
import GhostTestSupport

/// A daemon of its own and a storage manager connected to it.
func withStorage(_ body: (StorageManager) async throws -> Void) async throws {
    try await withDaemon { daemon in
        let storage = try await StorageManager(socketPath: daemon.socketPath)
        try await body(storage)
        await storage.close()
    }
}
