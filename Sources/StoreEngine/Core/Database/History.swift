import SQLCipher
import StoreBasics

/// Access to the id of the store's history, a column in the only row of the table `store`. Revisions and other numbers
/// have a meaning only within one history.
enum History {
    /// - Parameter bytes: the value of the column `history`.
    static func id(_ bytes: UnsafeRawBufferPointer) throws(StoreError) -> HistoryID {
        guard let id = HistoryID(bytes) else { throw missing }
        return id
    }

    /// Starts another history. It is needed when revisions after the current one may have been used before.
    static func write(_ id: HistoryID, _ connection: Connection) throws(StoreError) {
        try connection.run(update, id)
    }

    /// Checks that the store has the expected history.
    ///
    /// - Parameter expected: the history that the caller expects; `nil` for any.
    /// - Throws: `.historyChanged`.
    static func expect(_ expected: HistoryID?, is present: HistoryID) throws(StoreError) {
        guard let expected, expected != present else { return }
        throw StoreError(
            .historyChanged,
            """
            the store's history is not the one that the request names: a backup replaced the store, or the last \
            opening dropped acknowledged changes; read the data again
            """)
    }

    static var missing: StoreError {
        .databaseDamaged("the history id is missing")
    }

    private static let update = StatementText("UPDATE OR FAIL store SET history = ?1")
}
