import SQLCipher
import StoreBasics

/// How far the index has come: the one row of a table of its own, written with every step.
struct SearchIndexState {
    /// The raw values are kept at rest.
    enum Phase: Int64 {
        /// It holds all that is saved up to `indexedThrough`, but for what waits in `SearchPending`.
        case whole = 1
        /// It was given up as it made no sense, and begins anew: it holds nothing that was saved up to `beginsAfter`.
        case abandoned = 2
        /// The same, and messages saved up to `beginsAfter` are put in, in the order of their places.
        case rebuilding = 3
    }

    let phase: Phase
    /// What was saved up to this revision is not in the index: it was cleared, or see `phase`.
    let beginsAfter: Int64
    /// Changes up to this revision have been looked at.
    let indexedThrough: Int64
    /// The last message that a rebuilding has come to.
    let walked: MessagePlace
    /// How often something was taken out: what readers keep of the index holds as long as this is the same.
    let removals: Int64

    static let table = """
        CREATE TABLE search_state (
            singleton INTEGER PRIMARY KEY CHECK (singleton = 1),
            phase INTEGER NOT NULL,
            begins_after INTEGER NOT NULL,
            indexed_through INTEGER NOT NULL,
            walked_conversation INTEGER NOT NULL,
            walked_timestamp INTEGER NOT NULL,
            walked_id TEXT NOT NULL,
            removals INTEGER NOT NULL
        );
        INSERT INTO search_state VALUES (1, 1, 0, 0, 0, 0, '', 0);
        """

    /// - Throws: `.searchIndexIncomplete` where it makes no sense.
    static func read(_ connection: Connection) throws(StoreError) -> SearchIndexState {
        guard let row = try connection.first(select), let phase = Phase(rawValue: row.integer(0)),
            row.integer(1) >= 0, row.integer(2) >= row.integer(1), row.integer(2) <= Rows.countMax
        else { throw .searchIndexDamaged }
        return SearchIndexState(
            phase: phase, beginsAfter: row.integer(1), indexedThrough: row.integer(2),
            walked: try MessagePlace(row, conversation: 3, timestamp: 4, id: 5),
            removals: row.integer(6))
    }

    /// Returns whether a message is in the index, or gets into it even if a rebuild does not pass its place again.
    func holds(_ message: Posting) -> Bool {
        guard message.place.sequence <= indexedThrough else { return false }
        guard message.place.sequence <= beginsAfter else { return true }
        switch phase {
        case .whole, .abandoned: return false
        case .rebuilding: return message.messagePlace <= walked
        }
    }

    static func setIndexedThrough(_ revision: Int64, _ connection: Connection) throws(StoreError) {
        try connection.run(updateIndexed, revision)
    }

    static func setWalked(_ place: MessagePlace, _ connection: Connection) throws(StoreError) {
        try connection.run(updateWalked, place)
    }

    static func noteRemoval(_ connection: Connection) throws(StoreError) {
        try connection.run(updateRemovals)
    }

    /// What a rebuilding has put in is all there is.
    static func endRebuilding(_ connection: Connection) throws(StoreError) {
        try connection.run(updateWhole, Phase.whole.rawValue)
    }

    /// Returns the part of a step of `Schema.migrations` that replaces the index by an empty one and has it rebuilt
    /// from the messages, for a build that makes other terms of texts or stores them in another way.
    ///
    /// - Parameter terms: The name of the kind of terms that the new index has.
    static func rebuilt(_ terms: String) -> String {
        let dropped = (SearchIndex.tableNames + [SearchPending.tableName, "search_state"])
            .map { "DROP TABLE \($0);" }.joined(separator: "\n")
        return """
            -- \(terms)
            \(dropped)
            \(table)
            \(SearchPending.table)
            \(SearchIndex.tables)
            UPDATE OR FAIL search_state SET phase = \(Phase.rebuilding.rawValue),
                (begins_after, indexed_through) = (SELECT max(last_revision), max(last_revision) FROM changes)
            WHERE EXISTS (SELECT 1 FROM messages);
            """
    }

    /// Replaces the index by an empty one, whose rows are removed later.
    ///
    /// - Parameter revision: that of the store.
    static func startOver(_ phase: Phase, after revision: UInt64, _ connection: Connection) throws(StoreError) {
        try ClearedTables.replace(SearchIndex.tableNames + [SearchPending.tableName], connection)
        try connection.run(replace, phase.rawValue, revision)
    }

    private static let select = StatementText(
        """
        SELECT phase, begins_after, indexed_through, walked_conversation, walked_timestamp, walked_id, removals
        FROM search_state
        """)
    private static let updateIndexed = StatementText("UPDATE OR FAIL search_state SET indexed_through = ?1")
    private static let updateWalked = StatementText(
        "UPDATE OR FAIL search_state SET walked_conversation = ?1, walked_timestamp = ?2, walked_id = ?3")
    private static let updateWhole = StatementText("UPDATE OR FAIL search_state SET phase = ?1, begins_after = 0")
    private static let updateRemovals = StatementText("UPDATE OR FAIL search_state SET removals = removals + 1")
    private static let replace = StatementText(
        """
        INSERT OR REPLACE INTO search_state
            SELECT 1, ?1, ?2, ?2, 0, 0, '', ifnull(max(removals), 0) + 1 FROM search_state
        """)
}

extension StoreError {
    static var searchIndexDamaged: StoreError {
        StoreError(
            .searchIndexIncomplete, "the search index is invalid; rebuild it with `ghoststorectl search rebuild`")
    }
}
