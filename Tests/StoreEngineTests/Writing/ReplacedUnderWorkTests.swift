import SQLCipher
import StoreBasics
import TestBasics
import Testing

@testable import StoreEngine

/// Tests work of several steps during which a backup is restored. The ids and numbers that the work uses have another
/// meaning in the restored store.
@Suite struct ReplacedUnderWorkTests {
    private let store: TemporaryStore
    private let alice = ConversationReference.session(SessionID(trusted: "alice"))
    private let bob = ConversationReference.session(SessionID(trusted: "bob"))
    private let scene = SceneName(trusted: "scene")

    init() throws {
        store = try TemporaryStore()
    }

    private func fill(_ conversation: ConversationReference) throws {
        for start in 0..<12 {
            try store.engine.write(
                .saveMessages(
                    (0..<250).map { number in
                        NewMessage(
                            id: EntityID(trusted: "m\(start)-\(number)"), conversation: conversation, text: "text",
                            timestamp: Timestamp(microseconds: Int64(number)))
                    }))
        }
    }

    private func fillScene() throws {
        for start in 0..<12 {
            let changes = try (0..<250).map { number in
                SceneChange(key: try SceneKey("k\(start)-\(number)"), value: [1])
            }
            try store.engine.write(.setSceneValues(.sceneOnly(scene), changes, conditions: []))
        }
    }

    /// Starts a mutation, and restores a backup between its first and second step.
    private func outcome(of mutation: Mutation, restoring backup: String) throws -> Result<MutationResult, StoreError> {
        let outcome = OneShot<Result<MutationResult, StoreError>>()
        let gate = OneShot<Bool>()
        let isRestored = OneShot<Bool>()
        let engine = store.engine
        try engine.writer.hold(until: gate)
        engine.submit(WriteRequest(mutation)) { outcome.set($0) }
        try OwnThread.start { isRestored.set((try? engine.restore(backup)) != nil) }
        #expect(eventually { engine.writer.waitingCount == 2 })
        gate.set(true)
        #expect(isRestored.wait())
        return outcome.wait()
    }

    @Test func `marking does not continue in the conversation that has the same number after a restore`() throws {
        let empty = try store.engine.backUp().name
        try fill(alice)
        let withAlice = try store.engine.backUp().name
        try store.engine.restore(empty)
        try fill(bob)
        let outcome = try outcome(of: .markConversationRead(bob), restoring: withAlice)
        #expect(reason { _ = try outcome.get() } == .historyChanged)
        let left = try store.engine.makeReader().conversation(alice, includeAvatar: false)
        #expect(left?.unreadCount == 3_000)
        #expect(try expectClean(store.engine) == [])
    }

    @Test func `removing a scene does not continue in a restored store`() throws {
        try fillScene()
        let backup = try store.engine.backUp().name
        let outcome = try outcome(of: .removeScene(scene), restoring: backup)
        #expect(reason { _ = try outcome.get() } == .historyChanged)
        let count = try store.engine.writer.perform { context throws(StoreError) in
            let connection = try context.openConnection()
            return try mapped(connection.integer("SELECT count(*) FROM scene_values"))
        }
        #expect(count == 3_000)
    }
}
