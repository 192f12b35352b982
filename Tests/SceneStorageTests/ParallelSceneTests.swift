import GhostTestSupport
import SceneStorage
import StoreClient
import Testing

/// Many tasks set, flush and close at the same time, and every call succeeds. The tasks share 50 scenes, because a
/// connection has 64 watches and each open scene needs one.
@Suite(.timeLimit(.minutes(2))) struct ParallelSceneTests {
    private typealias Try = ParallelTry<StoreClient>

    private static let tries: [Try] = [
        Try("flush") { client, number in
            let scene = try await SceneStorage(client: client, sceneID: "shared")
            scene.set("value \(number)", forKey: "key \(number)")
            try await scene.flush()
        },
        Try("flush large") { client, number in
            let scene = try await SceneStorage(client: client, sceneID: "own \(number % 50)")
            scene.set(String(repeating: "x", count: 100_000), forKey: "key")
            try await scene.flush()
            try await scene.close()
        },
        Try("close") { client, number in
            let scene = try await SceneStorage(client: client, sceneID: "own \(number % 50)")
            scene.removeObject(forKey: "key")
            try await scene.close()
        },
    ]

    @Test func `every call is tried or listed as left out`() throws {
        let (forgotten, unknown) = try ParallelCalls.differences(
            in: ["SceneStorage"], tried: Self.tries.map(\.name), leftOut: [])
        #expect(forgotten == [] && unknown == [])
    }

    @Test func `many tasks write at the same time`() async throws {
        try await withDaemonAndClient(configuration: ParallelCalls.configuration) { _, client in
            for attempt in Self.tries {
                let failures = await attempt.failures(client)
                #expect(failures == [:], "\(attempt.name): \(failures)")
            }
            let values = try await client.sceneValues("shared")
            #expect(values.count >= ParallelCalls.taskCount)
        }
    }
}
