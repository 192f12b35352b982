import SQLCipher
import StoreBasics

extension StoreReader {
    /// Returns keys of a scene with their values. The scene's own value has precedence over the global one.
    ///
    /// - Parameter isWhole: Returns true if the bytes of a value are complete in the form that the caller has defined
    ///   for values.
    /// - Throws: `.invalidArgument` for too many keys, a key that the request contains twice, a limit out of range or a
    ///   foreign cursor; `.responseTooLarge` for keys whose values have more than `EngineLimits.sceneValuesBytesMax`;
    ///   `.databaseDamaged` for an invalid value.
    package func sceneValues(
        _ query: SceneValueQuery, isWhole: ([UInt8]) -> Bool
    ) throws(StoreError) -> SceneEntryPage {
        switch query.selection {
        case .keys(let keys):
            guard keys.count <= EngineLimits.pageRowsMax else {
                throw .tooMany(keys.count, "keys", countMax: EngineLimits.pageRowsMax)
            }
            guard Set(keys).count == keys.count else {
                throw .invalidArgument("the request names a key twice; name each key once")
            }
            if keys.count == 1, !query.keysOnly {
                return try read { connection throws(StoreError) in
                    try Self.whole(try self.entry(for: keys[0], query.tiers, connection), isWhole)
                }
            }
            return try readSnapshot { connection throws(StoreError) in
                try Self.whole(try Self.entries(for: keys, query, connection), isWhole)
            }
        case .page(let limit, let cursor):
            try PageLimit.check(limit)
            let start = try cursor.map(NameCursor.name) ?? ""
            return try readSnapshot { connection throws(StoreError) in
                try Self.whole(try Self.page(after: start, limit: limit, query, connection), isWhole)
            }
        }
    }

    private static func whole(
        _ page: SceneEntryPage, _ isWhole: ([UInt8]) -> Bool
    ) throws(StoreError) -> SceneEntryPage {
        guard page.entries.allSatisfy({ $0.value.map(isWhole) ?? true }) else {
            throw .databaseDamaged("a value of a scene is invalid")
        }
        return page
    }

    /// Returns the entry for one key. Most reads request one key, so they are done with a single statement, which needs
    /// no transaction to read one snapshot.
    private func entry(
        for key: SceneKey, _ tiers: SceneTiers, _ connection: Connection
    ) throws(StoreError) -> SceneEntryPage {
        let row =
            if let fallback = tiers.fallback {
                try connection.first(Self.selectFirstTierAndRevision, tiers.own, key, fallback)
            } else {
                try connection.first(Self.selectEntryAndRevision, tiers.own, key)
            }
        guard let row else { throw .databaseDamaged("a query returned no row, although it always returns one") }
        var page = SceneEntryPage(
            entries: [], revision: row.isNull(5) ? 0 : UInt64(try row.count(5)), history: try history())
        if !row.isNull(1) {
            page.entries.append(try Self.entry(row, keysOnly: false))
        }
        return page
    }

    private static func entries(
        for keys: [SceneKey], _ query: SceneValueQuery, _ connection: Connection
    ) throws(StoreError) -> SceneEntryPage {
        let statistics = try StatisticsRow.read(connection)
        var page = SceneEntryPage(entries: [], revision: statistics.revision, history: statistics.history)
        var valueBytes = 0
        for key in keys {
            guard let entry = try entry(for: key, query, connection) else { continue }
            valueBytes += entry.value?.count ?? 0
            guard valueBytes <= EngineLimits.sceneValuesBytesMax else {
                throw StoreError(
                    .responseTooLarge,
                    "the values have more than \(EngineLimits.sceneValuesBytesMax) bytes; request fewer keys at once")
            }
            page.entries.append(entry)
        }
        page.entries.sort { $0.key.text.utf8.lexicographicallyPrecedes($1.key.text.utf8) }
        return page
    }

    /// Returns the entry of the first tier that has a value for the key; `nil` if no tier has one.
    private static func entry(
        for key: SceneKey, _ query: SceneValueQuery, _ connection: Connection
    ) throws(StoreError) -> SceneEntry? {
        let text = query.keysOnly ? selectKey : selectEntry
        if let row = try connection.first(text, query.tiers.own, key) {
            return try entry(row, keysOnly: query.keysOnly)
        }
        guard let fallback = query.tiers.fallback, let row = try connection.first(text, fallback, key) else {
            return nil
        }
        return try entry(row, keysOnly: query.keysOnly)
    }

    private static func page(
        after start: String, limit: Int, _ query: SceneValueQuery, _ connection: Connection
    ) throws(StoreError) -> SceneEntryPage {
        let statistics = try StatisticsRow.read(connection)
        var page = SceneEntryPage(entries: [], revision: statistics.revision, history: statistics.history)
        let rows = try connection.rows(statementText(query), query.tiers.own, start, limit + 1)
        var valueBytes = 0
        while try rows.next() {
            guard page.entries.count < limit, valueBytes < EngineLimits.sceneValuePageBytesMax else {
                page.nextCursor = page.entries.last.map { NameCursor.text($0.key.text) }
                break
            }
            let entry = try entry(rows, keysOnly: query.keysOnly)
            valueBytes += entry.value?.count ?? 0
            page.entries.append(entry)
        }
        return page
    }

    private static func entry(_ row: borrowing Rows, keysOnly: Bool) throws(StoreError) -> SceneEntry {
        SceneEntry(
            key: try row.name(1), tier: try row.borrowedText(0).isEmpty ? .global : .scene, revision: row.unsigned(2),
            updatedAt: row.timestamp(3), value: keysOnly ? nil : row.bytes(4))
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

    private static let andRevisionSQL = """
        SELECT found.scene, found.key, found.revision, found.updated_at, found.value,
            (SELECT last_revision FROM changes ORDER BY first_revision DESC LIMIT 1)
        FROM (SELECT 1) LEFT JOIN scene_values AS found ON found.key = ?2 AND found.scene =
        """
    private static let selectEntryAndRevision = StatementText(andRevisionSQL + " ?1")
    private static let selectFirstTierAndRevision = StatementText(
        andRevisionSQL + " ifnull((SELECT scene FROM scene_values WHERE scene = ?1 AND key = ?2), ?3)")

    private static let selectEntry = StatementText(selectSQL + " WHERE scene = ?1 AND key = ?2")
    private static let selectKey = StatementText(selectKeySQL + " WHERE scene = ?1 AND key = ?2")
    private static let pageOfOne = StatementText(selectSQL + oneSQL + endSQL)
    private static let pageOfOneKeys = StatementText(selectKeySQL + oneSQL + endSQL)
    private static let pageOfBoth = StatementText(
        selectSQL + oneSQL + " UNION ALL " + selectSQL + globalSQL + endSQL)
    private static let pageOfBothKeys = StatementText(
        selectKeySQL + oneSQL + " UNION ALL " + selectKeySQL + globalSQL + endSQL)
}
