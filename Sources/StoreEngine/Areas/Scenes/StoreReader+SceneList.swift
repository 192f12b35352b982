import SQLCipher
import StoreBasics

extension StoreReader {
    /// Scenes with values of their own, by name. A page ends after `EngineLimits.scanMilliseconds`, also within a scene
    /// of very many keys and empty then: the next one goes on counting.
    ///
    /// - Throws: `.invalidArgument` for a limit out of range or a foreign cursor.
    package func scenes(limit: Int, cursor: String?) throws(StoreError) -> SceneSummaryPage {
        try PageLimit.check(limit)
        var place = try cursor.map { cursor throws(StoreError) in try SceneListPlace(cursor) } ?? SceneListPlace()
        return try readSnapshot { connection throws(StoreError) in
            let slice = WorkSlice.ofScan
            var page = SceneSummaryPage(scenes: [])
            var hasCounted = false
            while true {
                if place.counted == nil {
                    guard let row = try connection.first(Self.nextScene, place.scene) else { return page }
                    guard page.scenes.count < limit, !hasCounted || !slice.isOver else { break }
                    place = SceneListPlace(scene: try row.text(0), counted: SceneListPlace.Counted())
                }
                guard !hasCounted || !slice.isOver else { break }
                hasCounted = true
                if let summary = try Self.countMore(&place, connection) {
                    page.scenes.append(summary)
                }
            }
            page.nextCursor = place.text
            return page
        }
    }

    /// Counts some of a scene's keys.
    ///
    /// - Returns: the scene when they were the last, behind which the place is then.
    private static func countMore(
        _ place: inout SceneListPlace, _ connection: Connection
    ) throws(StoreError) -> SceneSummary? {
        var counted = place.counted ?? SceneListPlace.Counted()
        guard let row = try connection.first(someKeys, place.scene, counted.lastKey, keysAtOnce) else {
            throw .databaseDamaged("a scene's keys cannot be counted")
        }
        counted.keyCount += row.int(0)
        guard row.int(0) == keysAtOnce else {
            place.counted = nil
            // None: the scene was removed between two pages.
            guard counted.keyCount > 0 else { return nil }
            return SceneSummary(
                scene: SceneName(trusted: place.scene), keyCount: counted.keyCount,
                updatedAt: max(counted.updatedAt, row.timestamp(1)))
        }
        counted.updatedAt = max(counted.updatedAt, row.timestamp(1))
        counted.lastKey = try row.text(2)
        place.counted = counted
        return nil
    }

    /// A fraction of a millisecond's work.
    private static let keysAtOnce = 1_024

    private static let nextScene = StatementText(
        "SELECT scene FROM scene_values WHERE scene > ?1 ORDER BY scene LIMIT 1")
    private static let someKeys = StatementText(
        """
        SELECT count(*), max(updated_at), max(key) FROM (
            SELECT key, updated_at FROM scene_values WHERE scene = ?1 AND key > ?2 ORDER BY key LIMIT ?3)
        """)
}

/// Where a list of scenes has come to.
struct SceneListPlace {
    /// What was counted of a scene whose keys are too many for one page.
    struct Counted {
        var lastKey = ""
        var keyCount = 0
        var updatedAt = Timestamp(microseconds: .min)
    }

    var scene = SceneTiers.globalScene
    /// `nil` behind the scene.
    var counted: Counted?
}

extension SceneListPlace {
    var text: String {
        guard let counted else { return NameCursor.text(scene) }
        return NameCursor.text(
            scene, counted.lastKey, String(counted.keyCount), String(counted.updatedAt.microseconds))
    }

    /// - Throws: `.invalidArgument` for anything that `text` did not give.
    init(_ cursor: String) throws(StoreError) {
        guard cursor.contains(".") else {
            scene = try NameCursor.name(cursor)
            return
        }
        let parts = try NameCursor.names(cursor, count: 4)
        guard let keyCount = Int(parts[2]), let microseconds = Int64(parts[3]), (0...Int.max / 2).contains(keyCount)
        else { throw .foreignCursor }
        scene = parts[0]
        counted = Counted(
            lastKey: parts[1], keyCount: keyCount, updatedAt: Timestamp(microseconds: microseconds))
    }
}
