import GhostTestSupport
import StoreClient
import Testing

@Suite(.timeLimit(.minutes(1))) struct SceneCallTests {
    @Test func `values of every kind are read back as they were set`() async throws {
        try await withDaemonAndClient { _, client in
            var nested = SceneValue.dictionary(["\u{e9}": .array([]), "e\u{301}": .array([]), "": .bool(true)])
            for _ in 2..<SceneValue.nestingMax - 1 {
                nested = .dictionary(["k": nested])
            }
            let values: [String: SceneValue] = [
                "string": .string("né\0"), "integer": .integer(.min), "float": .float(-.infinity),
                "double": .double(0.1), "bool": .bool(false), "url": .url("https://example.org/#ä"),
                "data": .data([0, 255]), "date": .date(Timestamp(microseconds: -1)),
                "array": .array([.integer(1), .string("")]), "nested": nested,
            ]
            let commit = try await client.setSceneValues("main", values.map { .set($0.key, $0.value) })
            #expect(commit.createdCount == values.count)
            let entries = try await client.sceneValues("main")
            #expect(Dictionary(uniqueKeysWithValues: entries.map { ($0.key, $0.value) }) == values)
            #expect(entries.allSatisfy { $0.tier == .scene })
            let deeper = SceneValue.array([.array([nested])])
            let error = await #expect(throws: StoreClientError.self) {
                try await client.setSceneValues("main", [.set("nested", deeper)])
            }
            #expect(error?.reason == .invalidArgument)
        }
    }

    @Test func `a scene shows the value that another set, until it has its own`() async throws {
        try await withDaemonAndClient { _, client in
            try await client.setSceneValues("a", [.set("k", .integer(1))])
            #expect(try await client.sceneValues("b", keys: ["k", "none"]).map(\.tier) == [.global])
            try await client.setSceneValues("b", [.set("k", .integer(2))])
            #expect(try await client.sceneValues("a").map(\.value) == [.integer(1)])
            #expect(try await client.globalSceneValues().map(\.value) == [.integer(2)])
            try await client.setGlobalSceneValues([.set("g", .bool(true))])
            #expect(try await client.sceneValues("a", keys: ["g"]).map(\.value) == [.bool(true)])
            try await client.setSceneValues("a", [.remove("k")])
            #expect(try await client.sceneValues("a").map(\.key) == ["g"])
            #expect(try await client.sceneValues("b").map(\.key) == ["g", "k"])
        }
    }

    @Test func `a repeated idempotency key with an equal dictionary gets the first response`() async throws {
        try await withDaemonAndClient { _, client in
            let key = IdempotencyKey()
            var answers: [Commit] = []
            for _ in 0..<20 {
                var values = SceneDictionary()
                for name in (0..<10).map(String.init).shuffled() {
                    values[name] = .dictionary(["a": .bool(true), "b": .integer(1)])
                }
                answers.append(
                    try await client.setSceneValues("s", [.set("k", .dictionary(values))], idempotencyKey: key))
            }
            #expect(Set(answers.map(\.revision)).count == 1)
            #expect(answers.dropFirst().allSatisfy { $0.isReplayed })
        }
    }

    @Test func `of several writers that compare and set, one succeeds`() async throws {
        try await withDaemonAndClient { _, client in
            try await client.setSceneValues("main", [.set("n", .integer(0))], conditions: [.absent("n")])
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        var done = 0
                        while done < 10 {
                            let entry = try #require(try await client.sceneValues("main", keys: ["n"]).first)
                            guard case .integer(let number) = entry.value else { return }
                            do {
                                try await client.setSceneValues(
                                    "main", [.set("n", .integer(number + 1))],
                                    conditions: [.revision("n", entry.revision)])
                                done += 1
                            } catch let error as StoreClientError where error.reason == .sceneConditionFailed {
                                continue
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await client.sceneValues("main", keys: ["n"]).first?.value == .integer(40))
        }
    }

    @Test func `scenes and keys are listed in pages, and a scene is removed`() async throws {
        try await withDaemonAndClient { _, client in
            for scene in ["c", "a", "b"] {
                try await client.setSceneValues(scene, [.set("x", .bool(true)), .set("y", .bool(true))])
            }
            let first = try await client.scenePage(limit: 2)
            #expect(first.scenes.map(\.scene) == ["a", "b"])
            #expect(try await client.scenePage(cursor: first.nextCursor).scenes.map(\.keyCount) == [2])
            let page = try await client.sceneEntryPage("a", keysOnly: true, limit: 1)
            #expect(page.entries.map(\.key) == ["x"] && page.entries.first?.value == nil)
            #expect(try await client.sceneEntryPage("a", limit: 1, cursor: page.nextCursor).entries.map(\.key) == ["y"])
            try await client.removeScene("a")
            let error = await #expect(throws: StoreClientError.self) { try await client.removeScene("a") }
            #expect(error?.reason == .sceneNotFound)
        }
    }

    @Test func `a scene larger than one response is read completely`() async throws {
        try await withDaemonAndClient { _, client in
            let data = [UInt8](repeating: 5, count: 1_000_000)
            for number in 0..<24 {
                try await client.setSceneValues("large", [.set("k\(number)", .data(data))])
            }
            #expect(try await client.sceneValues("large").count == 24)
        }
    }

    @Test func `a watch of a scene gets changes of its own and of shared values`() async throws {
        try await withDaemonAndClient { _, client in
            let changes = try await client.watch(WatchFilter(scene: "main"))
            try await client.blockContact(sessionID: "05a")
            try await client.setSceneValues("other", [.set("k", .integer(1))])
            try await client.setSceneValues("main", [.set("k", .integer(2))])
            var heard: [Change] = []
            for try await change in changes {
                heard.append(change)
                guard heard.count < 3 else { break }
            }
            #expect(heard.map(\.scene) == [nil, "main", nil])
            #expect(heard.allSatisfy { $0.kind == .sceneValue && $0.id == "k" })
        }
    }
}
