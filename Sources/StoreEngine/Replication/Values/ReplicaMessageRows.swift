import ReplicaModel
import SQLCipher
import StoreBasics

/// The rows of `replica_messages`: the marks of messages that were changed since they were first saved.
enum ReplicaMessageRows {
    /// Returns the mark of a message; an empty mark if the message has no row.
    static func read(_ id: String, _ connection: Connection) throws(StoreError) -> MessageMark {
        guard let row = try connection.first(select, id) else { return MessageMark() }
        guard let mark = MessageMark(row.borrowedBytes(0)) else { throw ReplicaTables.damaged }
        return mark
    }

    /// Writes a mark if it has changed.
    ///
    /// - Parameter known: The mark as it was read. For most messages it is empty before and after.
    static func write(
        _ mark: MessageMark, insteadOf known: MessageMark, of id: String, _ connection: Connection
    ) throws(StoreError) {
        if mark != known {
            try write(mark, of: id, connection)
        }
    }

    static func write(_ mark: MessageMark, of id: String, _ connection: Connection) throws(StoreError) {
        if mark.isNeeded {
            try connection.runOrInsert(update, insert, id, mark.bytes)
        } else {
            try connection.run(delete, id)
        }
    }

    /// Returns the next messages that have a mark, in the order of their ids.
    static func next(
        after id: String, limit: Int, _ connection: Connection
    ) throws(StoreError) -> [(id: String, mark: MessageMark)] {
        var messages: [(id: String, mark: MessageMark)] = []
        let rows = try connection.rows(selectNext, id, limit)
        while try rows.next() {
            guard let mark = MessageMark(rows.borrowedBytes(1)) else { throw ReplicaTables.damaged }
            messages.append((try rows.text(0), mark))
        }
        return messages
    }

    private static let selectNext = StatementText(
        "SELECT id, mark FROM replica_messages WHERE id > ?1 ORDER BY id LIMIT ?2")
    private static let select = StatementText("SELECT mark FROM replica_messages WHERE id = ?1")
    private static let update = StatementText("UPDATE OR FAIL replica_messages SET mark = ?2 WHERE id = ?1")
    private static let insert = StatementText("INSERT INTO replica_messages VALUES (?1, ?2)")
    private static let delete = StatementText("DELETE FROM replica_messages WHERE id = ?1")
}
