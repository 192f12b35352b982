import GhostTestSupport
import TestBasics
import Testing

@testable import SceneStorage
@testable import StoreClient

@Suite(.timeLimit(.minutes(1))) struct WriterTests {
    private let small = SceneValue.string("small")
    private let large = SceneValue.string("much too large")

    @Test func `a refused change loses no other change of its request, whatever fails meanwhile`()
        async throws
    {
        let scene = FakeScene(textBytesMax: 5)
        let (hub, state) = openScene()
        for number in 0..<100 {
            state.change(.set("k\(number)", number == 37 ? large : small))
        }
        scene.failNext([
            StoreClientError(code: .resourceExhausted, reason: .diskFull, message: "full"),
            StoreClientError(code: .deadlineExceeded, reason: .deadlineExceeded, message: "late"),
            StoreClientError(code: .unavailable, reason: .connectionLost, message: "gone"),
        ])
        await finish(hub, state, scene)
        #expect(Set(scene.values.keys) == Set((0..<100).filter { $0 != 37 }.map { "k\($0)" }))
        #expect(scene.requests.count < 30)
        #expect(state.unwrittenCount == 0)
        #expect(await flushed(state)?.reason == .invalidArgument)
        #expect(await flushed(state) == nil)
    }

    @Test func `changes made together are reverted together`() async throws {
        let scene = FakeScene(textBytesMax: 5)
        let (hub, state) = openScene()
        state.change(.set("before", small))
        state.change([.set("a", small), .set("b", large), .set("c", small)])
        state.change(.set("after", small))
        async let error = flushed(state)
        await finish(hub, state, scene)
        #expect(await error?.reason == .invalidArgument)
        #expect(scene.values == ["before": small, "after": small])
    }

    @Test func `a storage that ends while writes fail tries once and gives up all changes`() async throws {
        let scene = FakeScene()
        let (hub, state) = openScene()
        for number in 0..<5_000 {
            state.change(.set("k\(number)", small))
        }
        scene.failNext(
            Array(
                repeating: StoreClientError(code: .deadlineExceeded, reason: .deadlineExceeded, message: "late"),
                count: 100))
        state.close()
        await SceneWriter(access: scene, hub: hub).run()
        #expect(scene.requests.count == 1)
        #expect(await flushed(state)?.reason == .deadlineExceeded)
    }

    @Test func `a change that cannot be written does not prevent reads`() async throws {
        let scene = FakeScene()
        _ = try await scene.set("main", [.set("others", small)], key: IdempotencyKey())
        let (hub, state) = openScene()
        let full = StoreClientError(code: .resourceExhausted, reason: .diskFull, message: "full")
        scene.failNext(Array(repeating: full, count: 10_000))
        try await withWriter(hub, state, scene) {
            state.change(.set("mine", small))
            try await eventually("the write fails") { state.lastError == full }
            hub.remoteChange(change("others", revision: 1), seenBy: ExactName("main"))
            try await eventually("what others did shows") { state.keys == ["mine", "others"] }
            // Reads the scene again, as opening it does. The failed change must stay unwritten and its error must
            // remain.
            try await hub.read(ExactName("main"))
            #expect(state.unwrittenCount == 1 && state.lastError == full)
            scene.failNext([])
            try await eventually("it is written") { state.unwrittenCount == 0 && state.lastError == nil }
        }
        #expect(Set(scene.values.keys) == ["mine", "others"])
    }

    @Test func `changed values that do not fit into one response are read in several`() async throws {
        let scene = FakeScene(keysMax: 3)
        let (hub, state) = openScene()
        let keys = (0..<50).map { "k\($0)" }
        _ = try await scene.set("main", keys.map { .set($0, small) }, key: IdempotencyKey())
        for key in keys {
            hub.remoteChange(change(key, revision: 1), seenBy: ExactName("main"))
        }
        try await withWriter(hub, state, scene) {
            try await eventually("every value arrives") { state.keys == keys.sorted() }
        }
        #expect(state.lastError == nil)
    }

    @Test func `values that together exceed a frame are read from the daemon`() async throws {
        try await withDaemonAndClient(.smallFrames) { _, client in
            let text = SceneValue.string(String(repeating: "x", count: 900_000))
            let keys = (0..<TestTier.count(8, long: 20)).map { "k\($0)" }
            try #require(keys.count * 900_000 > TestDaemonOptions.smallFrameBytes)
            for key in keys {
                try await client.setSceneValues("main", [.set(key, text)])
            }
            let (hub, state) = openScene()
            for key in keys {
                hub.remoteChange(change(key, revision: 1), seenBy: ExactName("main"))
            }
            try await withWriter(hub, state, ClientSceneAccess(client: client)) {
                try await eventually("every value arrives") { state.keys == keys.sorted() }
            }
        }
    }

    /// Runs the writer until nothing is left to write.
    private func finish(_ hub: SceneHub, _ state: SceneState, _ scene: FakeScene) async {
        var writer = SceneWriter(access: scene, hub: hub)
        writer.retryDelay = .milliseconds(1)
        let running = writer
        async let ended: Void = running.run()
        while state.unwrittenCount > 0 {
            try? await Task.sleep(for: .milliseconds(1))
        }
        state.close()
        await ended
    }

    private func withWriter(
        _ hub: SceneHub, _ state: SceneState, _ access: some SceneAccess, _ body: () async throws -> Void
    ) async throws {
        async let ended: Void = SceneWriter(access: access, hub: hub).run()
        do {
            try await body()
        } catch {
            // Closing the state is the only way to end the writer.
            state.close()
            throw error
        }
        state.close()
        await ended
    }

    private func flushed(_ state: SceneState) async -> StoreClientError? {
        do throws(StoreClientError) {
            try await state.waitUntilWritten()
            return nil
        } catch {
            return error
        }
    }
}
