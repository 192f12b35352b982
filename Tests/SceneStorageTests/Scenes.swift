import GhostTestSupport

@testable import SceneStorage
@testable import StoreClient

/// Runs `body` with a scene on a daemon that was started for this call.
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

/// Returns a memory in which `scenes` are open: the first by object 1, the second by object 2 and so on.
func openMemory(
    _ entries: [SceneEntry] = [], scenes: [String] = ["main"], waitingBytesMax: Int = 64 << 20
) -> SceneMemory {
    var memory = SceneMemory(waitingBytesMax: waitingBytesMax)
    for scene in scenes.map({ ExactName($0) }) {
        if case .isToBeOpened = memory.join(scene) {
            _ = memory.wasRead(SceneReading(scene: scene, refresh: .everything), entries)
            _ = memory.opened(scene)
        }
    }
    return memory
}

/// Returns a scene of a hub that has no writer yet.
func openScene(waitingBytesMax: Int = 64 << 20) -> (hub: SceneHub, state: SceneState) {
    let hub = SceneHub(openMemory(waitingBytesMax: waitingBytesMax))
    return (hub, SceneState(hub: hub, scene: ExactName("main"), member: SceneMember(number: 1)))
}

func change(_ key: String, scene: String? = "main", revision: UInt64) -> Change {
    Change(
        revision: revision, kind: .sceneValue, operation: .updated, id: key, parentID: scene, committedAt: .now)
}
