import GhostTestSupport
import SceneStorage
import StoreClient
import TestBasics
import Testing

@Suite(.timeLimit(.minutes(2))) struct SceneFaultTests {
    private static let rounds = TestTier.count(150, long: 300)

    /// Four objects share one scene. Each has its own connection through a proxy that drops connections.
    @Test func `scenes with dropped connections converge, and no change stays unwritten`() async throws {
        try await withDaemonAndClient { daemon, reader in
            try await withProxy(to: daemon.socketPath, seed: Settings.seed("CLIENT_FAULT_SEED")) { proxy in
                var storages: [SceneStorage] = []
                for _ in 0..<4 {
                    let client = try await StoreClient.connect(to: proxy.socketPath)
                    storages.append(try await SceneStorage(client: client, sceneID: "main"))
                }
                var faults = ProxyFaults()
                // A frame may contain up to a thousand missed changes, so connections must last long enough for such a
                // frame.
                faults.endsAfterBytes = 1...200_000
                faults.endings = [.dropped, .answersEnded]
                proxy.setFaults(faults)
                proxy.dropConnections()
                try await write(storages) { proxy.dropConnections() }
                let kept = Dictionary(
                    uniqueKeysWithValues: try await reader.sceneValues("main").map { ($0.key, $0.value) })
                for storage in storages {
                    try await eventually("the storage holds what the daemon holds") {
                        storage.keys == kept.keys.sorted()
                            && storage.keys.allSatisfy { storage.value(SceneValue.self, forKey: $0) == kept[$0] }
                    }
                    #expect(storage.lastError == nil)
                }
                for index in storages.indices {
                    #expect(kept["own \(index)"] == .integer(Int64(Self.rounds) - 1))
                }
                proxy.setFaults(ProxyFaults())
                for storage in storages {
                    try await storage.close()
                }
                #expect(proxy.connectionCount > 10)
            }
        }
    }

    private func write(_ storages: [SceneStorage], meanwhile: @escaping @Sendable () -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, storage) in storages.enumerated() {
                group.addTask {
                    for round in 0..<Self.rounds {
                        storage.set(round, forKey: "own \(index)")
                        storage.set(index * 1_000 + round, forKey: "shared \(round % 5)")
                        if round % 3 == 0 { storage.removeObject(forKey: "shared \(round % 4)") }
                        if round % 20 == 0 { try await storage.flush() }
                        if round % 50 == index { meanwhile() }
                    }
                    try await storage.flush()
                }
            }
            try await group.waitForAll()
        }
    }
}
