import SQLCipher
import StoreBasics

/// Which history the database is of: random bytes in its one row of `store`, beside the numbers they give a meaning.
enum History {
    /// - Parameter bytes: of the column.
    static func id(_ bytes: UnsafeRawBufferPointer) throws(StoreError) -> HistoryID {
        guard let id = HistoryID(bytes) else { throw missing }
        return id
    }

    /// Makes it another history: numbers after the present ones may have been used before.
    static func write(_ id: HistoryID, _ connection: Connection) throws(StoreError) {
        try connection.run(update, id)
    }

    /// - Parameter expected: `nil`: any.
    /// - Throws: `.historyChanged`.
    static func expect(_ expected: HistoryID?, is present: HistoryID) throws(StoreError) {
        guard let expected, expected != present else { return }
        throw StoreError(
            .historyChanged,
            """
            the store has another history than the request names: a backup replaced the store, or the last \
            opening dropped acknowledged changes; read the data again
            """)
    }

    static var missing: StoreError {
        .databaseDamaged("the history id is missing")
    }

    private static let update = StatementText("UPDATE OR FAIL store SET history = ?1")
}
