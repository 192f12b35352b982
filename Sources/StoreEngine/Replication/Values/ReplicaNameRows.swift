import ReplicaModel
import SQLCipher
import StoreBasics

/// The rows of `replica_names`: the session id for each id of a contact or a conversation, also of deleted ones.
/// Entries of the change log contain only ids.
enum ReplicaNameRows {
    static func sessionID(
        _ kind: ThingKind, id: String, _ connection: Connection
    ) throws(StoreError) -> String? {
        try connection.first(select, Int(kind.rawValue), id)?.text(0)
    }

    static func write(
        _ kind: ThingKind, id: String, sessionID: String, _ connection: Connection
    ) throws(StoreError) {
        try connection.runOrInsert(update, insert, Int(kind.rawValue), id, sessionID)
    }

    private static let select = StatementText("SELECT session_id FROM replica_names WHERE kind = ?1 AND id = ?2")
    private static let update = StatementText(
        "UPDATE OR FAIL replica_names SET session_id = ?3 WHERE kind = ?1 AND id = ?2")
    private static let insert = StatementText("INSERT INTO replica_names VALUES (?1, ?2, ?3)")
}
