import StoreBasics
import Testing

@testable import StoreEngine

@Suite struct SceneTests {
    let store: TemporaryStore
    let reader: StoreReader
    let main: SceneTiers
    let other: SceneTiers

    init() throws {
        store = try TemporaryStore()
        reader = store.engine.makeReader()
        main = .sceneAndGlobal(try SceneName("main"))
        other = .sceneAndGlobal(try SceneName("other"))
    }

    @discardableResult
    private func set(
        _ tiers: SceneTiers, _ values: KeyValuePairs<String, [UInt8]?>, if conditions: [SceneCondition] = []
    ) throws -> Commit {
        let changes = try values.map { SceneChange(key: try SceneKey($0.key), value: $0.value) }
        return try store.engine.commit(.setSceneValues(tiers, changes, conditions: conditions))
    }

    private func values(_ query: SceneValueQuery) throws -> SceneEntryPage {
        try reader.sceneValues(query, isWhole: { _ in true })
    }

    private func entry(_ tiers: SceneTiers, _ key: String) throws -> SceneEntry? {
        try values(SceneValueQuery(tiers, .keys([try SceneKey(key)]))).entries.first
    }

    private func all(_ tiers: SceneTiers, limit: Int = 100, keysOnly: Bool = false) throws -> [SceneEntry] {
        var entries: [SceneEntry] = []
        var cursor: String?
        repeat {
            let page = try values(
                SceneValueQuery(tiers, .page(limit: limit, cursor: cursor), keysOnly: keysOnly))
            entries += page.entries
            cursor = page.nextCursor
        } while cursor != nil
        return entries
    }

    @Test func `a scene has its own value, or else the value that was set last in any scene`() throws {
        try set(main, ["k": [1]])
        #expect(try entry(other, "k")?.value == [1])
        #expect(try entry(other, "k")?.tier == .global)
        try set(other, ["k": [2]])
        #expect(try entry(main, "k")?.value == [1])
        #expect(try entry(main, "k")?.tier == .scene)
        #expect(try entry(.globalOnly, "k")?.value == [2])
        #expect(try entry(.sceneOnly(try SceneName("third")), "k") == nil)
    }

    @Test func `a commit returns the revision of each value, which conditions accept`() throws {
        func loop(_ tiers: SceneTiers, _ key: String) throws {
            let key = try SceneKey(key)
            var revision: UInt64?
            for value in [[1], [2], [2], [3], nil, [4]] as [[UInt8]?] {
                let change = SceneChange(key: key, value: value)
                let condition = SceneCondition(key: key, revision: revision)
                let commit = try store.engine.commit(.setSceneValues(tiers, [change], conditions: [condition]))
                #expect(try commit.valueRevisions == [entry(tiers, key.text)?.revision ?? 0])
                revision = commit.valueRevisions.first == 0 ? nil : commit.valueRevisions.first
            }
        }
        try loop(main, "k")
        try loop(other, "k")
        try loop(.globalOnly, "g")
        try loop(.sceneOnly(try SceneName("third")), "k")
        let several = try set(main, ["a": [1], "k": [4], "b": nil, "a": [2]])
        #expect(try several.valueRevisions.last == entry(main, "a")?.revision)
        #expect(try several.valueRevisions[1] == entry(main, "k")?.revision)
        #expect(several.valueRevisions[2] == 0 && several.valueRevisions.count == 4)
    }

    @Test func `a repeated request returns the revisions of the first answer`() throws {
        let key = try IdempotencyKey("12345678", userID: 1)
        let changes = [
            SceneChange(key: try SceneKey("a"), value: [1]), SceneChange(key: try SceneKey("b"), value: nil),
            SceneChange(key: try SceneKey("c"), value: [2]),
        ]
        let first = try store.engine.commit(.setSceneValues(main, changes, conditions: []), key: key)
        #expect(first.valueRevisions == [1, 0, 3])
        try set(main, ["a": [9]])
        let second = try store.engine.commit(.setSceneValues(main, changes, conditions: []), key: key)
        #expect(second.isReplayed && second.valueRevisions == first.valueRevisions)
    }

    @Test(arguments: [false, true])
    func `the error of a failed condition names the revision of the right tier`(isGlobal: Bool) throws {
        try set(main, ["k": [1]])
        try set(.globalOnly, ["k": [2]])
        let tiers = isGlobal ? SceneTiers.globalOnly : main
        let found = try #require(try entry(tiers, "k"))
        let error = #expect(throws: StoreError.self) {
            try set(tiers, ["k": [3]], if: [SceneCondition(key: try SceneKey("k"), revision: nil)])
        }
        #expect(error?.message.contains("a value of revision \(found.revision);") == true)
    }

    @Test func `removing a key removes both tiers`() throws {
        try set(main, ["k": [1]])
        try set(other, ["k": [2]])
        let commit = try set(main, ["k": nil])
        #expect(commit.deletedCount == 1)
        #expect(try entry(main, "k") == nil)
        #expect(try entry(.globalOnly, "k") == nil)
        #expect(try entry(other, "k")?.value == [2])
    }

    @Test func `setting an equal value changes nothing`() throws {
        try set(main, ["k": [1]])
        let revision = try store.engine.statistics().revision
        let commit = try set(main, ["k": [1], "absent": nil])
        #expect(commit.revision == revision)
        #expect(commit.createdCount + commit.updatedCount + commit.deletedCount == 0)
    }

    @Test func `a scene-only change leaves the global tier alone`() throws {
        try set(.sceneOnly(try SceneName("main")), ["k": [1]])
        #expect(try entry(other, "k") == nil)
        try set(.globalOnly, ["k": [9]])
        #expect(try entry(main, "k")?.value == [1])
        try set(.sceneOnly(try SceneName("main")), ["k": nil])
        #expect(try entry(main, "k")?.value == [9])
    }

    @Test func `conditions are checked before anything is changed`() throws {
        let key = try SceneKey("k")
        try set(main, ["k": [1]], if: [SceneCondition(key: key, revision: nil)])
        let revision = try #require(try entry(main, "k")).revision
        for wrong in [nil, revision + 1] {
            let error = #expect(throws: StoreError.self) {
                try set(main, ["other": [5], "k": [2]], if: [SceneCondition(key: key, revision: wrong)])
            }
            #expect(error?.reason == .sceneConditionFailed)
        }
        #expect(try entry(main, "other") == nil)
        try set(main, ["k": [2]], if: [SceneCondition(key: key, revision: revision)])
        #expect(try entry(main, "k")?.value == [2])
        // The condition is about the scene's own value, not about the shared value that a reader gets if the scene has
        // none of its own.
        try set(other, ["k": [3]], if: [SceneCondition(key: key, revision: nil)])
    }

    @Test func `every key is listed once, in pages and in the order of its bytes`() throws {
        try set(main, ["b": [1], "é": [2], "B": [3]])
        try set(other, ["a": [4], "b": [5]])
        #expect(try all(main, limit: 1).map(\.key.text) == ["B", "a", "b", "é"])
        #expect(try all(main, limit: 2).map(\.value) == [[3], [4], [1], [2]])
        #expect(try all(main).map(\.tier) == [.scene, .global, .scene, .scene])
        #expect(try all(main, keysOnly: true).allSatisfy { $0.value == nil })
        #expect(try all(.sceneOnly(try SceneName("main"))).count == 3)
    }

    @Test func `a page ends early if its values are large`() throws {
        let large = [UInt8](repeating: 1, count: 1 << 20)
        for index in 0..<6 {
            try set(main, ["k\(index)": large])
        }
        let page = try values(SceneValueQuery(main, .page(limit: 1_000, cursor: nil)))
        #expect(page.entries.count == 4)
        #expect(try all(main).count == 6)
    }

    @Test func `keys whose values do not fit into a frame are refused together and can be read one by one`() throws {
        let large = [UInt8](repeating: 1, count: EngineLimits.sceneValueBytesMax)
        let keys = try (0..<17).map { try SceneKey("k\($0)") }
        for key in keys {
            try set(.sceneOnly(try SceneName("main")), [key.text: large])
        }
        let error = #expect(throws: StoreError.self) { try values(SceneValueQuery(main, .keys(keys))) }
        #expect(error?.reason == .responseTooLarge)
        #expect(try values(SceneValueQuery(main, .keys(Array(keys.prefix(16))))).entries.count == 16)
        #expect(try values(SceneValueQuery(main, .keys(keys), keysOnly: true)).entries.count == 17)
        #expect(try entry(main, "k16")?.value == large)
    }

    @Test func `a key that is named twice is refused`() throws {
        let key = try SceneKey("k")
        let twice = SceneValueQuery(main, .keys([key, key]))
        let error = #expect(throws: StoreError.self) { try values(twice) }
        #expect(error?.reason == .invalidArgument)
    }

    @Test func `the global tier is neither listed as a scene nor removed with one`() throws {
        try set(main, ["a": [1], "b": [2]])
        try set(other, ["a": [3]])
        let first = try reader.scenes(limit: 1, cursor: nil)
        #expect(first.scenes.map(\.scene.text) == ["main"])
        #expect(first.scenes.map(\.keyCount) == [2])
        let second = try reader.scenes(limit: 1, cursor: first.nextCursor)
        #expect(second.scenes.map(\.scene.text) == ["other"])
        #expect(second.nextCursor == nil)
        #expect(try store.engine.commit(.removeScene(SceneName("main"))).deletedCount == 2)
        #expect(try entry(main, "b")?.tier == .global)
        let error = #expect(throws: StoreError.self) { try store.engine.write(.removeScene(SceneName("main"))) }
        #expect(error?.reason == .sceneNotFound)
        #expect(try expectClean(store.engine) == [])
    }

    @Test func `changes contain the key and the scene`() throws {
        let longest = String(repeating: "s", count: 255)
        let tiers = SceneTiers.sceneAndGlobal(try SceneName(longest))
        try set(tiers, ["k": [1]])
        try set(tiers, ["k": [2], "l": [1]])
        try set(tiers, ["k": nil])
        try store.engine.write(.removeScene(SceneName(longest)))
        try store.engine.write(.saveContact(ContactUpdate(sessionID: try SessionID("bob"), id: EntityID("b"))))
        let changes = try reader.changes(after: 0, limit: 100).changes
        let expected: [(ChangeOperation, String, String)] = [
            (.created, "k", longest), (.created, "k", ""), (.updated, "k", longest), (.updated, "k", ""),
            (.created, "l", longest), (.created, "l", ""), (.deleted, "k", longest), (.deleted, "k", ""),
            (.cleared, "", longest),
        ]
        #expect(changes.dropLast().allSatisfy { $0.kind == .sceneValue })
        #expect(changes.map(\.operation) == expected.map(\.0) + [.created])
        #expect(changes.map(\.id) == expected.map(\.1) + ["b"])
        #expect(changes.map(\.parent) == expected.map(\.2) + [""])
        #expect(try expectClean(store.engine) == [])
    }

    @Test func `invalid names and too large values are refused`() throws {
        for text in ["", String(repeating: "x", count: 257), "a\0b"] {
            #expect(throws: StoreError.self) { try SceneName(text) }
            #expect(throws: StoreError.self) { try SceneKey(text) }
        }
        let large = [UInt8](repeating: 0, count: EngineLimits.sceneValueBytesMax + 1)
        #expect(throws: StoreError.self) { try set(main, ["k": large]) }
        #expect(throws: StoreError.self) { try set(main, [:]) }
        #expect(throws: StoreError.self) { try reader.scenes(limit: 0, cursor: nil) }
        #expect(throws: StoreError.self) { try reader.scenes(limit: 1, cursor: "xyz") }
    }

    @Test func `clearing everything clears scenes`() throws {
        try set(main, ["k": [1]])
        try store.engine.write(.clearAllData)
        #expect(try all(main).isEmpty)
        #expect(try reader.scenes(limit: 10, cursor: nil).scenes.isEmpty)
    }

    @Test func `a repeated request has no second effect`() throws {
        let key = try IdempotencyKey("0123456789")
        let change = [SceneChange(key: try SceneKey("k"), value: [1])]
        let first = try store.engine.commit(.setSceneValues(main, change, conditions: []), key: key)
        try set(main, ["k": [2]])
        let again = try store.engine.commit(.setSceneValues(main, change, conditions: []), key: key)
        #expect(again.isReplayed && again.revision == first.revision && again.createdCount == 1)
        #expect(try entry(main, "k")?.value == [2])
    }
}
