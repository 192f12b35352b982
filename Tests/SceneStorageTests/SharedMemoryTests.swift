import GhostTestSupport
import StoreBasics
import TestBasics
import Testing

@testable import SceneStorage
@testable import StoreClient

/// Objects of one process that share a client return the same values as the original library's objects.
@Suite(.timeLimit(.minutes(2))) struct SharedMemoryTests {
    @Test(arguments: [2, 3])
    func `random interleavings agree with the original library, in memory and in the daemon`(
        objectCount: Int
    ) async throws {
        for seed in TestSeeds.range(40, long: 1_000) {
            var random = SplitMix(seed: seed)
            // The third object has the same scene as the first one.
            let scenes = Array(["left", "right", "left"].prefix(objectCount))
            let run = InterleavedScenes(scenes, seed: seed)
            for number in 0..<40 {
                run.perform(SceneStep(objects: objectCount, number: number, random: &random))
                try #require(run.answers == run.expected, "seed \(seed), step \(number)")
                switch Int.random(in: 0..<12, using: &random) {
                case 0..<4: try await run.advance()
                case 4: run.close(Int.random(in: 0..<objectCount, using: &random))
                case 5: run.hear(scenes[0])
                default: break
                }
                try #require(run.answers == run.expected, "seed \(seed), behind step \(number)")
            }
            try await run.finish()
            try #require(run.answers == run.expected, "seed \(seed)")
            try #require(run.written == run.expectedWritten, "seed \(seed)")
        }
    }

    @Test func `objects end with the daemon's values, whoever changes them and whatever fails meanwhile`()
        async throws
    {
        let scenes = ["left", "right", "left"]
        for seed in TestSeeds.range(60, long: 1_000) {
            var random = SplitMix(seed: seed)
            let run = InterleavedScenes(scenes, seed: seed)
            for number in 0..<60 {
                let step = SceneStep(objects: 3, number: number, random: &random)
                switch Int.random(in: 0..<10, using: &random) {
                case 0..<2: run.perform(step)
                case 2..<4: try await run.performElsewhere(step)
                case 4: run.close(step.object)
                case 5..<7: run.hear(scenes[step.object])
                default: try await run.advance()
                }
            }
            try await run.finish()
            try #require(run.answers == run.kept, "seed \(seed)")
        }
    }

    @Test func `random steps of three objects agree with the original library and with the daemon's values`()
        async throws
    {
        try await withDaemonAndClient { daemon, client in
            let scenes = ["left", "right", "left"]
            var objects: [SceneStorage] = []
            for scene in scenes {
                objects.append(try await SceneStorage(client: client, sceneID: scene))
            }
            var model = OriginalScenes()
            var random = TestSeeds.generator(9)
            for number in 0..<TestTier.count(300, long: 2_000) {
                let step = SceneStep(objects: 3, number: number, random: &random)
                objects[step.object].state.change(step.changes)
                step.apply(to: &model, scenes[step.object])
                for (object, scene) in zip(objects, scenes) {
                    for key in SceneStep.keys {
                        try #require(
                            object.value(Int.self, forKey: key) == model.value(key, scene), "step \(number)")
                    }
                }
                if number % 50 == 0 {
                    try await objects[number % 3].flush()
                }
            }
            try await objects[0].flush()
            try await expectCaughtUp(objects, daemon)
            for (object, scene) in zip(objects, scenes) {
                for key in SceneStep.keys {
                    #expect(object.value(Int.self, forKey: key) == model.value(key, scene))
                    let kept = try await client.sceneValues(scene, keys: [key]).first
                    #expect(kept?.value.flatMap { Int(sceneValue: $0) } == model.value(key, scene))
                    #expect((kept?.tier == .scene) == (model.own[scene]?[key] != nil))
                }
                try await object.close()
            }
        }
    }

    @Test func `a removed key never reappears`() async throws {
        try await withDaemonAndClient { daemon, client in
            let first = try await SceneStorage(client: client, sceneID: "first")
            let second = try await SceneStorage(client: client, sceneID: "second")
            for run in 0..<100 {
                let key = "key \(run)"
                first.set("value", forKey: key)
                #expect(first.object(forKey: key) != nil && second.object(forKey: key) != nil)
                second.set("value", forKey: key)
                first.removeObject(forKey: key)
                #expect(first.object(forKey: key) == nil && second.object(forKey: key) != nil)
            }
            try await second.flush()
            try await expectCaughtUp([first, second], daemon)
            for run in 0..<100 {
                #expect(first.object(forKey: "key \(run)") == nil && second.object(forKey: "key \(run)") != nil)
            }
            try await first.close()
            try await second.close()
        }
    }

    /// Every kind of value that the original library's tests use.
    @Test(arguments: [
        (SceneValue.string("a"), SceneValue.string("b")), (.array([.string("a"), .string("b")]), .array([])),
        (.dictionary(["k": .string("v")]), .dictionary(["k": .string("w"), "l": .string("x")])),
        (.data([1, 2]), .data([])), (.integer(-7), .integer(.max)), (.float(1.5), .float(-0)),
        (.double(.pi), .double(1e300)), (.bool(false), .bool(true)),
    ])
    func `a value set in one scene shows at once in the others, until they have their own`(
        one: SceneValue, other: SceneValue
    ) async throws {
        try await withScene("storage1") { first, client in
            let second = try await SceneStorage(client: client, sceneID: "storage2")
            let again = try await SceneStorage(client: client, sceneID: "storage1")
            first.set(one, forKey: "key")
            for storage in [first, second, again] {
                #expect(storage.value(SceneValue.self, forKey: "key") == one)
                #expect(storage.keys == ["key"])
            }
            second.set(other, forKey: "key")
            #expect(first.value(SceneValue.self, forKey: "key") == one)
            #expect(again.value(SceneValue.self, forKey: "key") == one)
            #expect(second.value(SceneValue.self, forKey: "key") == other)
            try await again.close()
            try await second.close()
        }
    }

    @Test func `keys that differ in one byte are different keys, in memory and in the store`() async throws {
        try await withScene("main") { storage, client in
            let keys = ["e\u{301}", "\u{e9}"]
            storage.set(1, forKey: keys[0])
            storage.set(2, forKey: keys[1])
            #expect(keys.map { storage.integer(forKey: $0) } == [1, 2])
            try await storage.flush()
            #expect(storage.keys.map { Array($0.utf8) } == keys.map { Array($0.utf8) })
            #expect(try await client.sceneValues("main").map(\.value) == [.integer(1), .integer(2)])
            storage.removeObject(forKey: keys[0])
            #expect(keys.map { storage.integer(forKey: $0) } == [0, 2])
            try await storage.flush()
            #expect(try await client.sceneValues("main").map(\.value) == [.integer(2)])
        }
    }

    @Test func `objects created at the same time share a scene, and each can be closed`() async throws {
        try await withDaemonAndClient { _, client in
            let objects = try await withThrowingTaskGroup(of: SceneStorage.self) { group in
                for _ in 0..<100 {
                    group.addTask { try await SceneStorage(client: client, sceneID: "main") }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            objects[0].set(1, forKey: "k")
            #expect(objects.allSatisfy { $0.integer(forKey: "k") == 1 })
            for object in objects.dropLast() {
                try await object.close()
            }
            objects[99].set(2, forKey: "k")
            #expect(objects[0].integer(forKey: "k") == 1 && objects[99].integer(forKey: "k") == 2)
            try await objects[99].close()
            let anew = try await SceneStorage(client: client, sceneID: "main")
            #expect(anew.integer(forKey: "k") == 2)
            try await anew.close()
        }
    }

    @Test func `opening a scene that cannot be read while changes wait fails, and succeeds later`() async throws {
        try await withDaemon { daemon in
            var configuration = ClientConfiguration()
            // The daemon answers within this time while it runs, even on a slow machine.
            configuration.callDeadline = .seconds(1)
            let client = try await daemon.connect(configuration: configuration)
            let first = try await SceneStorage(client: client, sceneID: "first")
            try await daemon.kill9()
            first.set(1, forKey: "k")
            await #expect(throws: StoreClientError.self) {
                try await SceneStorage(client: client, sceneID: "second")
            }
            try await daemon.startAgain()
            try await eventually("the change is written") { first.unwrittenCount == 0 }
            let second = try await SceneStorage(client: client, sceneID: "second")
            #expect(second.integer(forKey: "k") == 1)
            try await first.close()
            try await second.close()
            await client.close()
        }
    }

    @Test func `a scene that is opened again before its changes are written shows them`() throws {
        var memory = openMemory(scenes: ["left", "right"])
        let (left, right) = (ExactName("left"), ExactName("right"))
        _ = memory.beginOpening()
        _ = memory.change([.set("k", .integer(1)), .set("gone", .bool(true))], by: SceneMember(number: 1))
        _ = memory.change([.remove("gone")], by: SceneMember(number: 1))
        _ = memory.leave(SceneMember(number: 1))
        _ = memory.change([.set("k", .integer(2))], by: SceneMember(number: 2))
        guard case .isToBeOpened = memory.join(left) else {
            Issue.record("it was closed")
            return
        }
        let old = SceneEntry(key: "gone", value: .bool(true), tier: .scene, revision: 1, updatedAt: .now)
        _ = memory.wasRead(SceneReading(scene: left, refresh: .everything), [old])
        _ = memory.opened(left)
        #expect(memory.values(left) == [ExactName("k"): .integer(1)])
        #expect(memory.values(right) == [ExactName("k"): .integer(2)])
    }

    /// The settings of one copy must not affect the other copies, even after a restore has ended the history of a copy.
    @Test func `copies of a client with a history or a deadline share one memory, which follows a restore`()
        async throws
    {
        try await withDaemonAndClient { _, client in
            let history = try await client.status().historyID
            let backup = try await client.createBackup()
            let named = client.with(history: history).with(deadline: nil)
            let first = try await SceneStorage(client: named, sceneID: "first")
            let second = try await SceneStorage(client: client.with(deadline: .seconds(20)), sceneID: "second")
            first.set(1, forKey: "k")
            #expect(second.integer(forKey: "k") == 1)
            try await first.flush()
            _ = try await client.restoreBackup(backup.name, replaceExisting: true)
            try await eventually("the restored scenes show") { first.keys.isEmpty && second.keys.isEmpty }
            first.set(2, forKey: "k")
            #expect(second.integer(forKey: "k") == 2)
            try await first.flush()
            try await client.setSceneValues("first", [.set("k", .integer(3))])
            try await eventually("what follows arrives") { first.integer(forKey: "k") == 3 }
            #expect(try await client.sceneValues("second", keys: ["k"]).first?.value == .integer(3))
            let again = try await SceneStorage(client: named, sceneID: "third")
            #expect(again.integer(forKey: "k") == 3)
            for object in [first, second, again] {
                try await eventually("nothing is wrong") { object.lastError == nil }
                try await object.close()
            }
        }
    }

    @Test func `opening a scene ends at the caller's own deadline, or when its task is cancelled`()
        async throws
    {
        try await withDaemonAndClient { _, client in
            // No reader serves this hub, so no opening is ever completed.
            let hub = SceneHub()
            let reasons = await withTaskGroup(of: StoreClientError.Reason?.self) { group in
                for deadline in [Duration.milliseconds(100), nil, nil] {
                    group.addTask {
                        do throws(StoreClientError) {
                            _ = try await OpeningDeadline.run(deadline) { () throws(StoreClientError) in
                                try await hub.open(ExactName("main"), client)
                            }
                            return nil
                        } catch {
                            return error.reason
                        }
                    }
                }
                var reasons = [await group.next() ?? nil]
                group.cancelAll()
                for await reason in group {
                    reasons.append(reason)
                }
                return reasons
            }
            #expect(reasons == [.deadlineExceeded, .cancelled, .cancelled])
        }
    }

    /// Waits until the objects have received every earlier change.
    private func expectCaughtUp(_ objects: [SceneStorage], _ daemon: TestDaemon) async throws {
        let other = try await daemon.connect()
        for scene in Set(objects.map(\.sceneID)) {
            try await other.setSceneValues(scene, [.set("marker", .string(scene))])
        }
        for object in objects {
            try await eventually("the news arrive") { object.string(forKey: "marker") == object.sceneID }
        }
        await other.close()
    }
}
