import SQLCipher
import StoreBasics
import Testing

@testable import StoreEngine

@Suite struct SceneListTests {
    private let store: TemporaryStore

    init() throws {
        store = try TemporaryStore()
    }

    private func fill(_ scene: String, _ count: Int) throws {
        try store.engine.writer.perform { context throws(StoreError) in
            let connection = try context.openConnection()
            try mapped(
                connection.execute(
                    """
                    WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < \(count))
                    INSERT INTO scene_values (scene, key, revision, updated_at, value)
                    SELECT '\(scene)', 'k' || x, 1, x, x'01' FROM n
                    """))
        }
    }

    private func pages(limit: Int) throws -> [SceneSummaryPage] {
        let reader = store.engine.makeReader()
        var pages = [try reader.scenes(limit: limit, cursor: nil)]
        while let cursor = pages.last?.nextCursor {
            pages.append(try reader.scenes(limit: limit, cursor: cursor))
        }
        return pages
    }

    @Test(arguments: [1, 100])
    func `a scene with very many keys is counted over several pages, and every scene is listed once`(limit: Int)
        throws
    {
        let counts = [("a", 3), ("b", 1_024), ("large", 200_000), ("larger", 2_048), ("z", 1)]
        for (scene, count) in counts {
            try fill(scene, count)
        }
        let pages = try pages(limit: limit)
        #expect(pages.contains { $0.scenes.isEmpty } || pages.count > (limit == 1 ? counts.count : 1))
        let scenes = pages.flatMap(\.scenes)
        #expect(scenes.map(\.scene.text) == counts.map(\.0))
        #expect(scenes.map(\.keyCount) == counts.map(\.1))
        #expect(scenes.map(\.updatedAt.microseconds) == counts.map { Int64($0.1) })
        #expect(pages.allSatisfy { $0.scenes.count <= limit })
    }

    @Test func `a scene that is removed while its keys are counted is listed with the count so far or left out`()
        throws
    {
        try fill("a", 2)
        let place = SceneListPlace(
            scene: "gone",
            counted: SceneListPlace.Counted(
                lastKey: "k", keyCount: 7, updatedAt: Timestamp(microseconds: 5)))
        let page = try store.engine.makeReader().scenes(limit: 10, cursor: place.text)
        #expect(page.scenes.map(\.keyCount) == [7] && page.scenes.map(\.updatedAt.microseconds) == [5])
        let empty = SceneListPlace(scene: "gone", counted: SceneListPlace.Counted())
        #expect(try store.engine.makeReader().scenes(limit: 10, cursor: empty.text).scenes.isEmpty)
    }

    @Test(arguments: ["61.62", "61.62.63.64", "61.62.31.2d", "61.62.2d31.31", "zz", "61.62.31.31.31"])
    func `a cursor that the daemon has not returned is refused`(cursor: String) throws {
        #expect(reason { _ = try store.engine.makeReader().scenes(limit: 10, cursor: cursor) } == .invalidArgument)
    }
}
