import SQLCipher
import StoreBasics
import Testing

@testable import StoreEngine

/// Checks that requests about scenes which share a commit have the same effect as one after the other, although the
/// writer writes a value for all scenes only once.
@Suite struct SceneGroupTests {
    /// The visible content of a store, without times.
    private struct Sight: Equatable {
        var outcomes: [HeldWrites.Outcome] = []
        var entries: [[String]] = []
        var changes: [[String]] = []
    }

    private func mutation(_ random: inout SplitMix) throws -> Mutation {
        func pick(_ count: UInt64) -> UInt64 { random.next() % count }
        let scene = try SceneName("scene \(pick(3))")
        let tiers: SceneTiers =
            switch pick(6) {
            case 0: .sceneOnly(scene)
            case 1: .globalOnly
            default: .sceneAndGlobal(scene)
            }
        let keys = pick(4) == 0 ? ["a", "b"] : [["a", "b"][Int(pick(2))]]
        let changes = try keys.map { key in
            SceneChange(key: try SceneKey(key), value: pick(6) == 0 ? nil : [UInt8(pick(3))])
        }
        let conditions = [SceneCondition(key: try SceneKey("a"), revision: pick(2) == 0 ? nil : pick(60))]
        switch pick(12) {
        case 0: return .removeScene(scene)
        case 1: return .setSceneValues(tiers, changes, conditions: conditions)
        case 2: return .saveMessage(try StoreEngine.numbered(Int(pick(1_000_000))))
        case 3 where pick(4) == 0: return .clearAllData
        default: return .setSceneValues(tiers, changes, conditions: [])
        }
    }

    private func sight(seed: UInt64, _ sharing: HeldWrites.Sharing) throws -> Sight {
        let store = try TemporaryStore()
        var random = SplitMix(seed: seed)
        var sight = Sight()
        for _ in 0..<4 {
            var writes = try HeldWrites(store.engine)
            for _ in 0..<20 {
                writes.add(try mutation(&random), sharing)
            }
            sight.outcomes += writes.finish()
        }
        let reader = store.engine.makeReader()
        for tiers in [SceneTiers.globalOnly] + (try (0..<3).map { .sceneOnly(try SceneName("scene \($0)")) }) {
            let query = SceneValueQuery(tiers, .page(limit: 10, cursor: nil))
            sight.entries += try reader.sceneValues(query, isWhole: { _ in true }).entries.map {
                [tiers.own, $0.key.text, "\($0.tier)", "\($0.revision)", "\($0.value ?? [])"]
            }
        }
        let start = try store.engine.statistics().compactedThroughRevision
        sight.changes = try reader.changes(after: start, limit: 1_000).changes.map {
            ["\($0.revision)", "\($0.kind)", "\($0.operation)"] + ($0.kind == .sceneValue ? [$0.id, $0.parent] : [])
        }
        let findings = try expectClean(store.engine)
        #expect(findings == [])
        return sight
    }

    @Test(arguments: [UInt64(1), 2, 3, 4, 5])
    func `a batch has the same result as its requests one after the other`(_ seed: UInt64)
        throws
    {
        let together = try sight(seed: seed, .shared)
        let alone = try sight(seed: seed, .alone)
        #expect(together == alone)
    }

    @Test func `a value that several requests set for all scenes is written once, and each has its change`() throws {
        let store = try TemporaryStore()
        let key = try SceneKey("k")
        // The first commit of a store also writes the anchor of its clock.
        try store.engine.write(.saveContact(ContactUpdate(sessionID: SessionID("05a"))))
        let begun = try store.engine.statistics().revision
        let before = try rowsWritten(store.engine)
        var writes = try HeldWrites(store.engine)
        for number in 0..<10 {
            let tiers = SceneTiers.sceneAndGlobal(try SceneName("scene \(number)"))
            writes.add(.setSceneValues(tiers, [SceneChange(key: key, value: [UInt8(number)])], conditions: []), .shared)
        }
        #expect(writes.finish().allSatisfy { (try? $0.get()) != nil })
        // The rows are ten values of scenes, one value for all scenes, the change log, and the position of the journal.
        let rows = try rowsWritten(store.engine) - before
        #expect(rows <= 13)
        let reader = store.engine.makeReader()
        let shared = try reader.sceneValues(
            SceneValueQuery(.globalOnly, .keys([key])), isWhole: { _ in true }
        ).entries.first
        #expect(shared?.value == [9])
        #expect(shared?.revision == begun + 20)
        #expect(try reader.changes(after: begun, limit: 100).changes.count == 20)
    }

    @Test func `a refused request in a batch leaves one record for all others`() throws {
        let store = try TemporaryStore()
        _ = try store.engine.commit(.saveMessage(try StoreEngine.numbered(1)))
        let before = try records(store.engine)
        let key = try SceneKey("k")
        var writes = try HeldWrites(store.engine)
        for number in 0..<10 {
            let tiers = SceneTiers.sceneAndGlobal(try SceneName("scene \(number)"))
            let changes = [SceneChange(key: key, value: [UInt8(number)])]
            writes.add(.setSceneValues(tiers, changes, conditions: []), .shared)
            writes.add(
                .setSceneValues(tiers, changes, conditions: [SceneCondition(key: key, revision: 99)]), .shared)
            writes.add(.editMessage(try EntityID("none"), text: "x", editedAt: nil), .shared)
        }
        let outcomes = writes.finish()
        #expect(outcomes.filter { (try? $0.get()) != nil }.count == 10)
        #expect(try records(store.engine) - before == 1)
    }

    private func records(_ engine: StoreEngine) throws -> UInt64 {
        try engine.writer.perform { context throws(StoreError) in context.journal?.last.record ?? 0 }
    }

    private func rowsWritten(_ engine: StoreEngine) throws -> Int {
        try engine.writer.perform { context throws(StoreError) in try context.openConnection().totalChanges }
    }
}
