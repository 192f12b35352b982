import SQLCipher
import StoreBasics

extension StoreReader {
    /// Returns scenes with values of their own, in the order of their names. A page ends after
    /// `EngineLimits.scanMilliseconds`. If the page ends while a scene with very many keys is counted, it may be empty;
    /// the next page continues the count.
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
    /// - Returns: The scene, if all its keys are counted.
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
            // A count of 0 means that the scene was removed between two pages.
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

    /// The number of keys that are counted in a fraction of a millisecond.
    private static let keysAtOnce = 1_024

    private static let nextScene = StatementText(
        "SELECT scene FROM scene_values WHERE scene > ?1 ORDER BY scene LIMIT 1")
    private static let someKeys = StatementText(
        """
        SELECT count(*), max(updated_at), max(key) FROM (
            SELECT key, updated_at FROM scene_values WHERE scene = ?1 AND key > ?2 ORDER BY key LIMIT ?3)
        """)
}

/// A position in a list of scenes, possibly between two keys of a scene.
struct SceneListPlace {
    /// The unfinished count of a scene with too many keys for one page.
    struct Counted {
        var lastKey = ""
        var keyCount = 0
        var updatedAt = Timestamp(microseconds: .min)
    }

    var scene = SceneTiers.globalScene
    /// The unfinished count; `nil` if the scene is complete.
    var counted: Counted?
}

extension SceneListPlace {
    var text: String {
        guard let counted else { return NameCursor.text(scene) }
        return NameCursor.text(
            scene, counted.lastKey, String(counted.keyCount), String(counted.updatedAt.microseconds))
    }

    /// - Throws: `.invalidArgument` for a text that is not a cursor.
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
