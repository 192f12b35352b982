import GhostTestSupport
import SceneStorage
import StoreClient

/// A scene on a daemon that runs for this scene only.
struct TestScene {
    let storage: SceneStorage
    private let daemon: TestDaemon

    /// Reads the scene through a new connection, as another process would: it sees only durable values.
    func asReadElsewhere<Answer>(_ body: (SceneStorage) throws -> Answer) async throws -> Answer {
        try await storage.flush()
        let client = try await daemon.connect()
        let other = try await SceneStorage(client: client, sceneID: storage.sceneID)
        let answer = try body(other)
        try await other.close()
        await client.close()
        return answer
    }

    static func with(_ body: (TestScene) async throws -> Void) async throws {
        try await withDaemonAndClient { daemon, client in
            let storage = try await SceneStorage(client: client, sceneID: "window-1")
            try await body(TestScene(storage: storage, daemon: daemon))
            try await storage.close()
        }
    }
}
