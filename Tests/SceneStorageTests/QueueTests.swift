import TestBasics
import Testing

@testable import SceneStorage
@testable import StoreClient

/// Tests of the queue of scene changes that wait to be written to the daemon.
@Suite(.timeLimit(.minutes(1))) struct QueueTests {
    private let main = ExactName("main")
    private let member = SceneMember(number: 1)

    @Test func `a key that is set repeatedly waits only once`() async throws {
        let (hub, state) = openScene()
        let count = TestTier.count(10_000, long: 300_000)
        for number in 0..<count {
            state.change(.set("k", .integer(Int64(number))))
        }
        #expect(state.unwrittenCount == 1)
        let scene = FakeScene()
        state.close()
        await SceneWriter(access: scene, hub: hub).run()
        #expect(scene.requests == [["k"]])
        #expect(scene.values == ["k": .integer(Int64(count) - 1)])
    }

    @Test func `the last change of each key is written in the order of the changes`() throws {
        var queue = SceneQueue()
        for (key, value) in [("data", 1), ("flag", 1), ("data", 2), ("other", 1), ("flag", 2)] {
            append(&queue, [.set(key, .integer(Int64(value)))])
        }
        let batch = try taken(&queue)
        #expect(
            batch.changes == [
                .set("data", .integer(2)), .set("other", .integer(1)), .set("flag", .integer(2)),
            ])
    }

    @Test func `a group of changes waits until every one of them has been replaced`() throws {
        var queue = SceneQueue()
        append(&queue, [.set("a", .integer(1)), .set("b", .integer(1))])
        append(&queue, [.set("a", .integer(2))])
        #expect(queue.unwrittenCount(main) == 3)
        append(&queue, [.remove("b")])
        #expect(queue.unwrittenCount(main) == 2)
        let batch = try taken(&queue)
        #expect(batch.changes == [.set("a", .integer(2)), .remove("b")])
    }

    @Test func `an awaited change counts as written even if it is replaced meanwhile`() throws {
        var queue = SceneQueue()
        append(&queue, [.set("k", .integer(1))])
        let awaited = queue.awaitAll()
        append(&queue, [.set("k", .integer(2))])
        append(&queue, [.set("k", .integer(3))])
        #expect(queue.unwrittenCount(main) == 2)
        #expect(queue.completedNumber < awaited)
        queue.complete(try taken(&queue))
        #expect(queue.isEmpty && queue.completedNumber >= awaited)
    }

    @Test func `changes of two scenes to one key keep their order`() throws {
        var queue = SceneQueue()
        let other = ExactName("other")
        append(&queue, [.set("k", .integer(1))])
        append(&queue, [.set("k", .integer(2))], other)
        append(&queue, [.set("k", .integer(3))])
        let batches = [try taken(&queue), try taken(&queue)]
        #expect(batches.map(\.scene) == [other, main])
        #expect(!queue.hasWaiting)
    }

    @Test func `waiting changes have a limit, and a change beyond it is refused and reported`() async throws {
        let (_, state) = openScene(waitingBytesMax: 10_000)
        let large = SceneValue.string(String(repeating: "x", count: 3_000))
        for number in 0..<4 {
            state.change(.set("k\(number)", large))
        }
        #expect(state.keys == ["k0", "k1", "k2"])
        #expect(state.lastError?.reason == .tooManyWaitingCalls)
        await #expect(throws: StoreClientError.self) { try await state.waitUntilWritten() }
        // A change that replaces a waiting change of the same key needs no additional room.
        state.change(.set("k1", .string(String(repeating: "y", count: 3_000))))
        #expect(state.lastError == nil && state.unwrittenCount == 3)
    }

    private func append(_ queue: inout SceneQueue, _ changes: [SceneChange], _ scene: ExactName? = nil) {
        let isAdded = queue.append(changes, scene: scene ?? main, member: member)
        #expect(isAdded)
    }

    private func taken(_ queue: inout SceneQueue) throws -> SceneBatch {
        let batch = queue.removeBatch()
        return try #require(batch)
    }
}
