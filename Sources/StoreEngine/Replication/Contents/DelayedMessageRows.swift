import SQLCipher
import StoreBasics

/// The rows of `replica_delayed_messages`: messages whose records are published only after their large contents.
/// Records of later changes are published in the meantime.
enum DelayedMessageRows {
    static func insert(_ id: String, _ connection: Connection) throws(StoreError) {
        try connection.run(insert, id)
    }

    static func delete(_ id: String, _ connection: Connection) throws(StoreError) {
        try connection.run(delete, id)
    }

    static func isThere(_ id: String, _ connection: Connection) throws(StoreError) -> Bool {
        try connection.first(selectOne, id) != nil
    }

    /// Returns the ids of the next messages, in the order of the ids.
    static func next(after id: String, limit: Int, _ connection: Connection) throws(StoreError) -> [String] {
        let rows = try connection.rows(select, id, limit)
        var ids: [String] = []
        while try rows.next() {
            ids.append(try rows.text(0))
        }
        return ids
    }

    private static let insert = StatementText("INSERT OR IGNORE INTO replica_delayed_messages VALUES (?1)")
    private static let delete = StatementText("DELETE FROM replica_delayed_messages WHERE id = ?1")
    private static let selectOne = StatementText("SELECT 1 FROM replica_delayed_messages WHERE id = ?1")
    private static let select = StatementText(
        "SELECT id FROM replica_delayed_messages WHERE id > ?1 ORDER BY id LIMIT ?2")
}
