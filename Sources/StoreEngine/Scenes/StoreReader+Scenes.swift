import SQLCipher
internal import StoreBasics

extension StoreReader {
    /// Keys of a scene, the scene's own value before the global one.
    ///
    /// - Parameter isWhole: whether a value, which is but bytes here, is one that whoever stored it can have made.
    /// - Throws: `.invalidArgument` for too many keys, a key named twice, a limit out of range or a foreign cursor;
    ///   `.responseTooLarge` for keys whose values have more than `EngineLimits.sceneValuesBytesMax`;
    ///   `.databaseDamaged` for a value that is not whole.
    package func sceneValues(
        _ query: SceneValueQuery, isWhole: ([UInt8]) -> Bool = { _ in true }
    ) throws(StoreError) -> SceneEntryPage {
        switch query.selection {
        case .keys(let keys):
            guard keys.count <= EngineLimits.pageRowsMax else {
                throw .invalidArgument("the request has \(keys.count) keys; the most is \(EngineLimits.pageRowsMax)")
            }
            guard Set(keys).count == keys.count else {
                throw .invalidArgument("the request names a key twice; name each once")
            }
            return try readSnapshot { connection throws(StoreError) in
                try Self.whole(try Self.entries(for: keys, query, connection), isWhole)
            }
        case .page(let limit, let cursor):
            try PageLimit.check(limit)
            let start = try cursor.map(SceneCursor.name) ?? ""
            return try readSnapshot { connection throws(StoreError) in
                try Self.whole(try Self.page(after: start, limit: limit, query, connection), isWhole)
            }
        }
    }

    private static func whole(
        _ page: SceneEntryPage, _ isWhole: ([UInt8]) -> Bool
    ) throws(StoreError) -> SceneEntryPage {
        guard page.entries.allSatisfy({ $0.value.map(isWhole) ?? true }) else {
            throw .databaseDamaged("a value of a scene makes no sense")
        }
        return page
    }

    /// Scenes with values of their own, by name.
    ///
    /// - Throws: `.invalidArgument` for a limit out of range or a foreign cursor.
    package func scenes(limit: Int, cursor: String?) throws(StoreError) -> SceneSummaryPage {
        try PageLimit.check(limit)
        let start = try cursor.map(SceneCursor.name) ?? SceneTiers.globalScene
        return try readSnapshot { connection throws(StoreError) in
            try mapped { () throws(SQLCipherError) in
                let select = try connection.statement(Self.selectScenes)
                select.bind(1, start)
                select.bind(2, limit + 1)
                defer { select.reset() }
                var page = SceneSummaryPage(scenes: [])
                while try select.step() {
                    guard page.scenes.count < limit else {
                        page.nextCursor = page.scenes.last.map { SceneCursor.text($0.scene.text) }
                        break
                    }
                    page.scenes.append(
                        SceneSummary(
                            scene: SceneName(trusted: try select.text(0)), keyCount: select.int(1),
                            updatedAt: Timestamp(microseconds: select.integer(2))))
                }
                return page
            }
        }
    }

    private static func entries(
        for keys: [SceneKey], _ query: SceneValueQuery, _ connection: Connection
    ) throws(StoreError) -> SceneEntryPage {
        let revision = try StatisticsRow.read(connection).revision
        var page = SceneEntryPage(entries: [], revision: revision)
        var valueBytes = 0
        for key in keys {
            guard let entry = try entry(for: key, query, connection) else { continue }
            valueBytes += entry.value?.count ?? 0
            guard valueBytes <= EngineLimits.sceneValuesBytesMax else {
                throw StoreError(
                    .responseTooLarge,
                    "the values have more than \(EngineLimits.sceneValuesBytesMax) bytes; name fewer keys at once")
            }
            page.entries.append(entry)
        }
        page.entries.sort { $0.key.text.utf8.lexicographicallyPrecedes($1.key.text.utf8) }
        return page
    }

    /// The value of the first tier that has one.
    private static func entry(
        for key: SceneKey, _ query: SceneValueQuery, _ connection: Connection
    ) throws(StoreError) -> SceneEntry? {
        try mapped { () throws(SQLCipherError) in
            let select = try connection.statement(query.keysOnly ? selectKey : selectEntry)
            for scene in [query.tiers.own, query.tiers.fallback] {
                guard let scene else { continue }
                select.bind(1, scene)
                select.bind(2, key.text)
                defer { select.reset() }
                if try select.step() {
                    return try entry(select, keysOnly: query.keysOnly)
                }
            }
            return nil
        }
    }

    private static func page(
        after start: String, limit: Int, _ query: SceneValueQuery, _ connection: Connection
    ) throws(StoreError) -> SceneEntryPage {
        let revision = try StatisticsRow.read(connection).revision
        return try mapped { () throws(SQLCipherError) in
            var page = SceneEntryPage(entries: [], revision: revision)
            let select = try connection.statement(statementText(query))
            select.bind(1, query.tiers.own)
            select.bind(2, start)
            select.bind(3, limit + 1)
            defer { select.reset() }
            var valueBytes = 0
            while try select.step() {
                guard page.entries.count < limit, valueBytes < EngineLimits.sceneValuePageBytesMax else {
                    page.nextCursor = page.entries.last.map { SceneCursor.text($0.key.text) }
                    break
                }
                let entry = try entry(select, keysOnly: query.keysOnly)
                valueBytes += entry.value?.count ?? 0
                page.entries.append(entry)
            }
            return page
        }
    }

    private static func entry(_ row: Statement, keysOnly: Bool) throws(SQLCipherError) -> SceneEntry {
        SceneEntry(
            key: SceneKey(trusted: try row.text(1)),
            tier: try row.text(0).isEmpty ? .global : .scene, revision: UInt64(max(0, row.integer(2))),
            updatedAt: Timestamp(microseconds: row.integer(3)), value: keysOnly ? nil : row.bytes(4))
    }

    private static func statementText(_ query: SceneValueQuery) -> StatementText {
        switch (query.tiers.fallback == nil, query.keysOnly) {
        case (true, false): pageOfOne
        case (true, true): pageOfOneKeys
        case (false, false): pageOfBoth
        case (false, true): pageOfBothKeys
        }
    }

    private static let selectSQL = "SELECT scene, key, revision, updated_at, value FROM scene_values"
    private static let selectKeySQL = "SELECT scene, key, revision, updated_at FROM scene_values"
    private static let oneSQL = " WHERE scene = ?1 AND key > ?2"
    private static let globalSQL = """
         AS shared WHERE scene = '' AND key > ?2
            AND NOT EXISTS (SELECT 1 FROM scene_values AS own WHERE own.scene = ?1 AND own.key = shared.key)
        """
    private static let endSQL = " ORDER BY key LIMIT ?3"

    private static let selectEntry = StatementText(selectSQL + " WHERE scene = ?1 AND key = ?2")
    private static let selectKey = StatementText(selectKeySQL + " WHERE scene = ?1 AND key = ?2")
    private static let pageOfOne = StatementText(selectSQL + oneSQL + endSQL)
    private static let pageOfOneKeys = StatementText(selectKeySQL + oneSQL + endSQL)
    private static let pageOfBoth = StatementText(
        selectSQL + oneSQL + " UNION ALL " + selectSQL + globalSQL + endSQL)
    private static let pageOfBothKeys = StatementText(
        selectKeySQL + oneSQL + " UNION ALL " + selectKeySQL + globalSQL + endSQL)
    private static let selectScenes = StatementText(
        """
        SELECT scene, count(*), max(updated_at) FROM scene_values WHERE scene > ?1
        GROUP BY scene ORDER BY scene LIMIT ?2
        """)
}

/// Cursors of scenes and keys are the last name of a page.
private enum SceneCursor {
    static func text(_ name: String) -> String {
        HexText.encode(name)
    }

    static func name(_ cursor: String) throws(StoreError) -> String {
        guard let name = HexText.decode(cursor[...]) else {
            throw .invalidArgument("the cursor is not one the daemon gave; start again without it")
        }
        return name
    }
}
