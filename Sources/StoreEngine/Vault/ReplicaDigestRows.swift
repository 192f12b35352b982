import SQLCipher
import StoreBasics

/// The rows of `replica_digests`: digests of file contents in the vault, each valid only while the last write to the
/// content has the generation in the row.
enum ReplicaDigestRows {
    static func find(_ stored: VaultContent, _ connection: Connection) throws(StoreError) -> AttachmentDigest? {
        guard let row = try connection.first(select, stored.number, stored.generation) else { return nil }
        return AttachmentDigest(trusted: row.bytes(0))
    }

    static func write(
        _ digest: AttachmentDigest, of stored: VaultContent, _ connection: Connection
    ) throws(StoreError) {
        try connection.runOrInsert(update, insert, stored.number, stored.generation, digest.bytes)
    }

    /// Returns the number of the content with this digest, if the store has it.
    static func content(_ digest: AttachmentDigest, _ connection: Connection) throws(StoreError) -> Int64? {
        try connection.first(selectContent, digest.bytes)?.integer(0)
    }

    static func delete(_ content: Int64, _ connection: Connection) throws(StoreError) {
        try connection.run(delete, content)
    }

    private static let select = StatementText(
        "SELECT digest FROM replica_digests WHERE content = ?1 AND generation = ?2")
    private static let update = StatementText(
        "UPDATE OR FAIL replica_digests SET generation = ?2, digest = ?3 WHERE content = ?1")
    private static let insert = StatementText("INSERT INTO replica_digests VALUES (?1, ?2, ?3)")
    private static let selectContent = StatementText(
        """
        SELECT d.content FROM replica_digests AS d CROSS JOIN file_contents AS c ON c.number = d.content
        WHERE d.digest = ?1 AND c.generation = d.generation LIMIT 1
        """)
    private static let delete = StatementText("DELETE FROM replica_digests WHERE content = ?1")
}
