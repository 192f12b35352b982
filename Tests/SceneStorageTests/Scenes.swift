import GhostTestSupport
import SceneStorage
import StoreClient

/// A scene of a daemon of its own.
func withScene(
    _ sceneID: String, _ body: (SceneStorage, StoreClient) async throws -> Void
) async throws {
    try await withDaemon { daemon in
        let client = try await daemon.connect()
        let storage = try await SceneStorage(client: client, sceneID: sceneID)
        try await body(storage, client)
        try await storage.close()
        await client.close()
    }
}
