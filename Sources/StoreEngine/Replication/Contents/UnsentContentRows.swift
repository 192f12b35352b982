import SQLCipher
import StoreBasics

/// The rows of `replica_untold_contents`: contents that this device still has to publish, in order, with the bytes that
/// are published so far.
enum UnsentContentRows {
    struct Row {
        let number: Int64
        let digest: AttachmentDigest
        let byteCount: UInt64
        let publishedBytes: UInt64
    }

    /// Returns the first content to publish.
    ///
    /// - Parameters:
    ///   - isAgain: True to include contents that are published again for devices that lack them. They come after all
    ///     contents that are published because of a change.
    ///   - bytesMax: The most bytes that a content may have to be returned.
    static func first(
        orAgain isAgain: Bool, bytesMax: UInt64, _ connection: Connection
    ) throws(StoreError) -> Row? {
        guard let row = try connection.first(select, isAgain, bytesMax) else { return nil }
        return Row(
            number: row.integer(0), digest: AttachmentDigest(trusted: row.bytes(1)), byteCount: row.unsigned(2),
            publishedBytes: row.unsigned(3))
    }

    /// Appends a content. A content that is already in the queue keeps its position.
    static func insert(
        _ digest: AttachmentDigest, byteCount: UInt64, isAgain: Bool = false, _ connection: Connection
    ) throws(StoreError) {
        try connection.run(insert, digest.bytes, byteCount, isAgain)
    }

    /// Returns whether this device publishes a content that the group has not received yet.
    static func isNew(_ digest: AttachmentDigest, _ connection: Connection) throws(StoreError) -> Bool {
        try connection.first(selectOne, digest.bytes) != nil
    }

    static func setPublishedBytes(_ bytes: UInt64, of number: Int64, _ connection: Connection) throws(StoreError) {
        try connection.run(update, number, bytes)
    }

    static func delete(_ number: Int64, _ connection: Connection) throws(StoreError) {
        try connection.run(delete, number)
    }

    private static let select = StatementText(
        """
        SELECT number, digest, byte_count, told_bytes FROM replica_untold_contents
        WHERE is_again <= ?1 AND byte_count <= ?2
        ORDER BY is_again, number LIMIT 1
        """)
    private static let selectOne = StatementText(
        "SELECT 1 FROM replica_untold_contents WHERE digest = ?1 AND is_again = 0")
    private static let insert = StatementText(
        """
        INSERT OR IGNORE INTO replica_untold_contents (digest, byte_count, told_bytes, is_again) VALUES (?1, ?2, 0, ?3)
        """)
    private static let update = StatementText(
        "UPDATE OR FAIL replica_untold_contents SET told_bytes = ?2 WHERE number = ?1")
    private static let delete = StatementText("DELETE FROM replica_untold_contents WHERE number = ?1")
}
