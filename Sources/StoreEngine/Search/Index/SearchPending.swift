import SQLCipher
import StoreBasics

/// Messages that the index contains with an old text or place. Each row keeps the old text and place, with which the
/// message is removed from the index.
enum SearchPending {
    static let tableName = "search_pending"
    static let table = """
        CREATE TABLE search_pending (
            sequence INTEGER PRIMARY KEY,
            id TEXT NOT NULL,
            conversation INTEGER NOT NULL,
            timestamp INTEGER NOT NULL,
            text TEXT NOT NULL
        );
        """

    struct Entry {
        let id: EntityID
        let held: IndexedMessage

        fileprivate init(_ row: borrowing Rows) throws(StoreError) {
            id = try row.name(3)
            held = try IndexedMessage(row)
        }
    }

    /// - Parameter sequence: the sequence of a message, or `nil` for the first row.
    static func entry(_ sequence: Int64? = nil, _ connection: Connection) throws(StoreError) -> Entry? {
        let row =
            if let sequence { try connection.first(selectOne, sequence) } else { try connection.first(selectFirst) }
        guard let row else { return nil }
        return try Entry(row)
    }

    static func remove(_ entry: Entry, _ connection: Connection) throws(StoreError) {
        try connection.run(delete, entry.held.posting.place.sequence)
    }

    private static let selectFirst = StatementText(
        "SELECT \(IndexedMessage.columns) FROM search_pending ORDER BY sequence LIMIT 1")
    private static let selectOne = StatementText(
        "SELECT \(IndexedMessage.columns) FROM search_pending WHERE sequence = ?1")
    private static let delete = StatementText("DELETE FROM search_pending WHERE sequence = ?1")

    /// Returns a statement that inserts a message if the index contains it or may contain it during a rebuild.
    private static func insertStatement(_ condition: String) -> StatementText {
        StatementText(
            """
            INSERT OR IGNORE INTO search_pending SELECT m.sequence, m.id, m.conversation, m.timestamp,
                \(LongTexts.column(of: "m"))
            FROM messages AS m CROSS JOIN search_state AS s WHERE \(condition) AND m.sequence <= s.indexed_through
                AND (m.sequence > s.begins_after OR s.phase = \(SearchIndexState.Phase.rebuilding.rawValue))
            """)
    }

    fileprivate static let insertByPlace = insertStatement("m.conversation = ?1 AND m.timestamp = ?2 AND m.id = ?3")
    fileprivate static let insertByID = insertStatement("m.id = ?1")
}

/// Counts the messages of a transaction that the search index has to add, and those that it contains with an outdated
/// text or place.
final class SearchChanges: TransactionWork, AreaListener {
    let transaction: Transaction
    private(set) var newMessages = 0
    private(set) var outdatedEntries = 0

    init(_ transaction: Transaction) {
        self.transaction = transaction
    }

    func messageInserted() {
        newMessages += 1
    }

    func textOutdated(at place: MessagePlace) throws(StoreError) {
        try connection.run(SearchPending.insertByPlace, place)
        outdatedEntries += 1
    }

    func unreachableMessageRemoved(_ id: EntityID, isRecorded: Bool) throws(StoreError) {
        try connection.run(SearchPending.insertByID, id)
        outdatedEntries += 1
    }
}
