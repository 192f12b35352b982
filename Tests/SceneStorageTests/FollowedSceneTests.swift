import GhostTestSupport
import SceneStorage
import StoreClient
import Testing

@Suite(.timeLimit(.minutes(2))) struct FollowedSceneTests {
    @Test func `changes by other processes arrive`() async throws {
        try await withDaemon { daemon in
            let (mine, others) = (try await daemon.connect(), try await daemon.connect())
            let storage = try await SceneStorage(client: mine, sceneID: "main")
            try await others.setSceneValues("main", [.set("a", .integer(1)), .set("b", .integer(2))])
            try await eventually("the values arrive") { storage.keys == ["a", "b"] }
            try await others.setSceneValues("main", [.remove("a")])
            try await eventually("the removal arrives") { storage.keys == ["b"] }
            try await others.removeScene("main")
            try await others.setGlobalSceneValues([.set("b", .integer(3))])
            try await eventually("the shared value shows") { storage.integer(forKey: "b") == 3 }
            try await others.clearAllData()
            try await eventually("everything is gone") { storage.keys.isEmpty }
            try await storage.close()
            await mine.close()
            await others.close()
        }
    }

    /// Two writers change the same keys. After both have flushed, both hold the daemon's values.
    @Test func `storages that write the same keys end with the same values`() async throws {
        try await withDaemon { daemon in
            let client = try await daemon.connect()
            let storages = [
                try await SceneStorage(client: client, sceneID: "main"),
                try await SceneStorage(client: try await daemon.connect(), sceneID: "main"),
            ]
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, storage) in storages.enumerated() {
                    group.addTask {
                        for round in 0..<200 {
                            storage.set(index * 1_000 + round, forKey: "k\(round % 5)")
                            if round % 3 == 0 { storage.removeObject(forKey: "k\(round % 4)") }
                            if round % 20 == 0 { try await storage.flush() }
                        }
                        try await storage.flush()
                    }
                }
                try await group.waitForAll()
            }
            let kept = Dictionary(
                uniqueKeysWithValues: try await client.sceneValues("main").map { ($0.key, $0.value) })
            for storage in storages {
                try await eventually("the storage holds what the daemon holds") {
                    storage.keys == kept.keys.sorted()
                        && storage.keys.allSatisfy { storage.value(SceneValue.self, forKey: $0) == kept[$0] }
                }
                try await storage.close()
            }
        }
    }

    @Test func `a storage works while the daemon is stopped, and catches up afterwards`() async throws {
        try await withDaemon { daemon in
            var configuration = ClientConfiguration()
            configuration.callDeadline = .seconds(2)
            let client = try await daemon.connect(configuration: configuration)
            let storage = try await SceneStorage(client: client, sceneID: "main")
            storage.set(1, forKey: "before")
            try await storage.flush()
            try await daemon.kill9()
            storage.set(2, forKey: "while")
            #expect(storage.integer(forKey: "while") == 2 && storage.integer(forKey: "before") == 1)
            await #expect(throws: StoreClientError.self) { try await storage.flush() }
            #expect(storage.lastError != nil)
            try await daemon.startAgain()
            let other = try await daemon.connect()
            try await other.setSceneValues("main", [.set("others", .integer(3))])
            try await eventually("the change is written") {
                try await other.sceneValues("main", keys: ["while"]).first?.value == .integer(2)
            }
            try await eventually("what others did arrives") { storage.integer(forKey: "others") == 3 }
            try await eventually("nothing is wrong any more") { storage.lastError == nil }
            try await storage.flush()
            try await storage.close()
            await client.close()
            await other.close()
        }
    }

    @Test func `a storage writes waiting changes after the store was locked and unlocked`() async throws {
        try await withDaemon { daemon in
            let client = try await daemon.connect()
            let storage = try await SceneStorage(client: client, sceneID: "main")
            try await client.lock()
            storage.set(1, forKey: "k")
            await #expect(throws: StoreClientError.self) { try await storage.flush() }
            try await daemon.restart()
            try await eventually("the change is written") {
                try await client.sceneValues("main").first?.value == .integer(1)
            }
            try await storage.flush()
            try await storage.close()
            await client.close()
        }
    }

    @Test func `a storage reads its scene again after a backup is restored`() async throws {
        try await withDaemon { daemon in
            let client = try await daemon.connect()
            try await client.setSceneValues("main", [.set("k", .integer(1)), .set("old", .bool(true))])
            let backup = try await client.createBackup()
            let storage = try await SceneStorage(client: try await daemon.connect(), sceneID: "main")
            try await client.setSceneValues("main", [.set("k", .integer(2)), .remove("old"), .set("new", .bool(true))])
            try await eventually("the changes arrive") { storage.keys == ["k", "new"] }
            _ = try await client.restoreBackup(backup.name, replaceExisting: true)
            try await eventually("the restored scene shows") { storage.keys == ["k", "old"] }
            #expect(storage.integer(forKey: "k") == 1)
            try await client.setSceneValues("main", [.set("k", .integer(3))])
            try await eventually("what follows arrives") { storage.integer(forKey: "k") == 3 }
            try await storage.close()
            await client.close()
        }
    }
}
