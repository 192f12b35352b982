import ReplicaModel
import SQLCipher
import StoreBasics

/// The received parts of a record that is not complete yet.
struct ReplicaParts {
    /// The sequence and the hash of the message before the first part. Everything up to that message is merged.
    var beforeSequence: UInt64
    var beforeHash: [UInt8]
    var bytes: [UInt8]
}

/// The rows of `replica_parts`: for each channel, the parts of the record that is not complete yet.
enum ReplicaPartRows {
    static func read(_ channel: ReplicaChannel, _ connection: Connection) throws(StoreError) -> ReplicaParts? {
        guard let row = try connection.first(select, channel.text) else { return nil }
        return ReplicaParts(beforeSequence: row.unsigned(0), beforeHash: row.bytes(1), bytes: row.bytes(2))
    }

    static func write(
        _ parts: ReplicaParts, of channel: ReplicaChannel, _ connection: Connection
    ) throws(StoreError) {
        try connection.runOrInsert(update, insert, channel.text, parts.beforeSequence, parts.beforeHash, parts.bytes)
    }

    static func delete(_ channel: ReplicaChannel, _ connection: Connection) throws(StoreError) {
        try connection.run(delete, channel.text)
    }

    private static let select = StatementText(
        "SELECT before_sequence, before_hash, bytes FROM replica_parts WHERE channel = ?1")
    private static let update = StatementText(
        "UPDATE OR FAIL replica_parts SET before_sequence = ?2, before_hash = ?3, bytes = ?4 WHERE channel = ?1")
    private static let insert = StatementText("INSERT INTO replica_parts VALUES (?1, ?2, ?3, ?4)")
    private static let delete = StatementText("DELETE FROM replica_parts WHERE channel = ?1")
}
