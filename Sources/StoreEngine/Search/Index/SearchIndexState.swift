import SQLCipher
import StoreBasics

/// The progress of the index: the only row of its table, updated with every step.
struct SearchIndexState {
    /// The state of the index. The raw values are stored in the database.
    enum Phase: Int64 {
        /// The index contains all messages saved up to `indexedThrough`, except those in `SearchPending`.
        case whole = 1
        /// The index was invalid and has been emptied. It contains no message saved up to `beginsAfter`.
        case abandoned = 2
        /// As `abandoned`, but messages saved up to `beginsAfter` are being added in the order of their places.
        case rebuilding = 3
    }

    let phase: Phase
    /// The revision up to which saved messages are missing from the index, because the store was cleared or the index
    /// was emptied. `phase` says whether they are being added again.
    let beginsAfter: Int64
    /// The revision up to which changes are indexed.
    let indexedThrough: Int64
    /// The last message that a rebuild has reached.
    let walked: MessagePlace
    /// The number of removals from the index. Data that readers cache is valid while this number is unchanged.
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

    /// - Throws: `.searchIndexIncomplete` if the row is invalid.
    static func read(_ connection: Connection) throws(StoreError) -> SearchIndexState {
        guard let row = try connection.first(select), let phase = Phase(rawValue: row.integer(0)),
            row.integer(1) >= 0, row.integer(2) >= row.integer(1), row.integer(2) <= Rows.countMax
        else { throw .searchIndexDamaged }
        return SearchIndexState(
            phase: phase, beginsAfter: row.integer(1), indexedThrough: row.integer(2),
            walked: try MessagePlace(row, conversation: 3, timestamp: 4, id: 5),
            removals: row.integer(6))
    }

    /// Returns true if the index has to contain a message at its present place. Returns false for a message that the
    /// index lacks, and for a message that a later step adds, as a new one or when a rebuild reaches its place.
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

    static func incrementRemovals(_ connection: Connection) throws(StoreError) {
        try connection.run(updateRemovals)
    }

    /// Records that a rebuild has added all messages.
    static func endRebuilding(_ connection: Connection) throws(StoreError) {
        try connection.run(updateWhole, Phase.whole.rawValue)
    }

    /// Returns the SQL with which a step of `Schema.migrations` replaces the index by an empty one, which is then
    /// rebuilt from the messages. It is needed for a version that derives other terms from texts or stores them in
    /// another way.
    ///
    /// - Parameter terms: the name of the new index's kind of terms.
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

    /// Replaces the index by an empty one. The rows of the old one are removed later.
    ///
    /// - Parameter revision: the revision of the store.
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
