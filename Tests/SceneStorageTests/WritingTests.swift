import GhostTestSupport
import SceneStorage
import StoreClient
import Testing

@Suite(.timeLimit(.minutes(2))) struct WritingTests {
    @Test func `flushed values are on disk, with the last value of each key`() async throws {
        try await withScene("main") { storage, client in
            for number in 0..<3_000 {
                storage.set(number, forKey: "k\(number % 7)")
            }
            #expect(storage.integer(forKey: "k3") == 2_999 - (2_999 - 3) % 7)
            try await storage.flush()
            #expect(storage.unwrittenCount == 0)
            let kept = try await client.sceneValues("main")
            #expect(kept.map(\.key) == (0..<7).map { "k\($0)" })
            for entry in kept {
                #expect(entry.value == .integer(Int64(storage.integer(forKey: entry.key))))
            }
        }
    }

    @Test func `a released storage writes its changes`() async throws {
        try await withDaemon { daemon in
            let client = try await daemon.connect()
            do {
                let storage = try await SceneStorage(client: client, sceneID: "main")
                storage.set("kept", forKey: "k")
            }
            try await eventually("the value is written") {
                try await client.sceneValues("main").first?.value == .string("kept")
            }
            await client.close()
        }
    }

    @Test func `values set together are written together`() async throws {
        try await withScene("main") { storage, client in
            let before = try await client.statistics().revision
            storage.set(["a": .integer(1), "b": .integer(2)])
            try await storage.flush()
            let changes = try await client.changePage(after: before).changes
            #expect(Set(changes.map(\.committedAt)).count == 1)
            #expect(changes.count == 4)
        }
    }

    @Test func `a refused value is reported and reverted, and the others are kept`() async throws {
        try await withScene("main") { storage, client in
            storage.set("old", forKey: "large")
            try await storage.flush()
            storage.set(String(repeating: "x", count: SceneValue.bytesMax), forKey: "large")
            storage.set("small", forKey: "small")
            let error = await #expect(throws: StoreClientError.self) { try await storage.flush() }
            #expect(error?.reason == .invalidArgument)
            try await eventually("the old value is back") { storage.string(forKey: "large") == "old" }
            #expect(storage.string(forKey: "small") == "small")
            #expect(try await client.sceneValues("main", keys: ["small"]).first?.value == .string("small"))
            try await storage.flush()
        }
    }

    @Test func `a value that no property list can contain is reported and changes nothing`() async throws {
        try await withScene("main") { storage, _ in
            storage.set(1, forKey: "k")
            let value: Any? = WritingTests.self
            storage.set(value, forKey: "k")
            #expect(storage.integer(forKey: "k") == 1)
            #expect(storage.lastError?.reason == .invalidArgument)
            await #expect(throws: StoreClientError.self) { try await storage.flush() }
            try await storage.flush()
            #expect(storage.lastError == nil)
        }
    }

    @Test func `a closed storage can still be read, and refuses changes`() async throws {
        try await withDaemon { daemon in
            let client = try await daemon.connect()
            let storage = try await SceneStorage(client: client, sceneID: "main")
            storage.set(1, forKey: "k")
            try await storage.close()
            storage.set(2, forKey: "k")
            #expect(storage.integer(forKey: "k") == 1)
            await #expect(throws: StoreClientError.self) { try await storage.flush() }
            #expect(try await client.sceneValues("main").map(\.value) == [.integer(1)])
            await client.close()
        }
    }
}
