import GhostTestSupport
import SceneStorage
import StoreClient
import Testing

/// Two hundred tasks at once set, flush and close: all succeed.
@Suite(.timeLimit(.minutes(2))) struct ParallelCallTests {
    private typealias Try = ParallelTry<StoreClient>

    private static let tries: [Try] = [
        Try("flush") { client, number in
            let scene = try await SceneStorage(client: client, sceneID: "shared")
            scene.set("value \(number)", forKey: "key \(number)")
            try await scene.flush()
        },
        Try("flush large") { client, number in
            let scene = try await SceneStorage(client: client, sceneID: "own \(number)")
            scene.set(String(repeating: "x", count: 100_000), forKey: "key")
            try await scene.flush()
        },
        Try("close") { client, number in
            let scene = try await SceneStorage(client: client, sceneID: "own \(number)")
            scene.removeObject(forKey: "key")
            try await scene.close()
        },
    ]

    @Test func `every call is tried or named`() throws {
        let (forgotten, unknown) = try ParallelCalls.differences(
            in: ["SceneStorage"], tried: Self.tries.map(\.name), leftOut: [])
        #expect(forgotten == [] && unknown == [])
    }

    @Test func `all tasks write at once`() async throws {
        try await withDaemonAndClient { _, client in
            for attempt in Self.tries {
                #expect(await attempt.failures(client) == [:], "\(attempt.name)")
            }
            let values = try await client.sceneValues("shared")
            #expect(values.count >= ParallelCalls.taskCount)
        }
    }
}
