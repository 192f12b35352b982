import SQLCipher
import StoreBasics

/// The rows of `replica_missing_contents`: what others have named and is not here, and whom to ask once everything has
/// come that may bring it.
enum MissingContentRows {
    struct Row {
        let digest: AttachmentDigest
        /// Who told it, and its batch with the last of it.
        let device: UInt64
        let sequence: UInt64
        /// Who has named it, and in which batch: what needs it may come behind that in the same one.
        let holder: UInt64
        let namedIn: UInt64
        /// It was asked, and has not told it since.
        var wasAsked = false
    }

    /// How long a device that was asked has time to tell a content, and that which is said to have told it before.
    private static var answerMicroseconds: Int64 { 6 * 3_600_000_000 }

    /// - Parameter now: which counts where it is the first that names it.
    static func write(_ row: Row, at now: Timestamp, _ connection: Connection) throws(StoreError) {
        try connection.runOrInsert(
            replace, insert, row.digest.bytes, DeviceColumn(row.device), row.sequence,
            DeviceColumn(row.holder), row.namedIn, now)
    }

    /// Those for which nothing is to be waited for any more.
    static func due(_ ownDevice: UInt64, now: Timestamp, _ connection: Connection) throws(StoreError) -> [Row] {
        let before = now.microseconds - answerMicroseconds
        let rows = try connection.rows(select, DeviceColumn(ownDevice), EngineLimits.stepRowsMax, before)
        var found: [Row] = []
        while try rows.next() {
            found.append(
                Row(
                    digest: AttachmentDigest(trusted: rows.bytes(0)), device: rows.device(1),
                    sequence: rows.unsigned(2), holder: rows.device(3),
                    namedIn: rows.unsigned(4), wasAsked: !rows.isNull(5)))
        }
        return found
    }

    static func isThere(_ digest: AttachmentDigest, _ connection: Connection) throws(StoreError) -> Bool {
        try connection.first(selectOne, digest.bytes) != nil
    }

    static func setAsked(
        _ holder: UInt64, for digest: AttachmentDigest, at now: Timestamp, _ connection: Connection
    ) throws(StoreError) {
        try connection.run(update, digest.bytes, DeviceColumn(holder), now)
    }

    /// What a device that was removed was asked for, or was to be.
    static func askOthers(insteadOf device: UInt64, _ connection: Connection) throws(StoreError) {
        try connection.run(updateHeld, DeviceColumn(device))
    }

    static func delete(_ digest: AttachmentDigest, _ connection: Connection) throws(StoreError) {
        try connection.run(delete, digest.bytes)
    }

    /// Something here has the content.
    static func isWanted(_ digest: AttachmentDigest, _ connection: Connection) throws(StoreError) -> Bool {
        try connection.first(selectWanted, digest.bytes) != nil
    }

    private static let replace = StatementText(
        """
        UPDATE OR FAIL replica_missing_contents SET device = ?2, sequence = ?3, holder = ?4, named_in = ?5,
            named_at = min(named_at, ?6), asked_at = NULL
        WHERE digest = ?1
        """)
    private static let insert = StatementText(
        "INSERT INTO replica_missing_contents VALUES (?1, ?2, ?3, ?4, ?5, ?6, NULL)")
    private static let select = StatementText(
        """
        SELECT c.digest, c.device, c.sequence, c.holder, c.named_in, c.asked_at FROM replica_missing_contents AS c
        LEFT JOIN replica_members AS m ON m.device = c.device LEFT JOIN replica_members AS h ON h.device = c.holder
        WHERE (c.asked_at IS NULL OR c.asked_at < ?3)
            AND (c.named_at < ?3 OR c.device = ?1 OR m.device IS NULL OR m.fault IS NOT NULL
                OR m.merged_sequence >= min(c.sequence, ifnull(m.removed_through, c.sequence)))
            AND (c.named_in = 0 OR h.fault IS NOT NULL OR h.merged_sequence >= c.named_in)
        LIMIT ?2
        """)
    private static let update = StatementText(
        "UPDATE OR FAIL replica_missing_contents SET holder = ?2, named_in = 0, asked_at = ?3 WHERE digest = ?1")
    private static let updateHeld = StatementText(
        "UPDATE OR FAIL replica_missing_contents SET named_in = 0, asked_at = NULL WHERE holder = ?1")
    private static let selectOne = StatementText("SELECT 1 FROM replica_missing_contents WHERE digest = ?1")
    private static let delete = StatementText("DELETE FROM replica_missing_contents WHERE digest = ?1")
    private static let selectWanted = StatementText(
        """
        SELECT 1 FROM attachment_contents WHERE digest = ?1 AND reference_count > 0
        UNION ALL SELECT 1 FROM replica_wanted_files WHERE digest = ?1 LIMIT 1
        """)
}
