internal import StoreClient

/// What a scene's writer asks of the daemon.
protocol SceneAccess: Sendable {
    /// Makes all changes or none.
    /// - Returns: the store's revision after them.
    func set(_ changes: [SceneChange], key: IdempotencyKey) async throws(StoreClientError) -> UInt64

    /// - Parameter keys: empty: every key.
    func values(_ keys: [String]) async throws(StoreClientError) -> [SceneEntry]
}

/// One scene over a client.
struct ClientSceneAccess: SceneAccess {
    let sceneID: String
    let client: StoreClient

    func set(_ changes: [SceneChange], key: IdempotencyKey) async throws(StoreClientError) -> UInt64 {
        try await client.setSceneValues(sceneID, changes, idempotencyKey: key).revision
    }

    func values(_ keys: [String]) async throws(StoreClientError) -> [SceneEntry] {
        try await client.sceneValues(sceneID, keys: keys)
    }
}
