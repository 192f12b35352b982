import SQLCipher
import StoreBasics

/// The rows of `replica_missing_contents`: contents to which merged data refers but that the store lacks. A row has the
/// device to ask. The device is asked after the batches that may contain the content were merged.
enum MissingContentRows {
    struct Row {
        let digest: AttachmentDigest
        /// The device that published the content, as a notice says; `holder` if there was no notice.
        let device: UInt64
        /// The batch of `device` with the content's last piece; `nil` if there was no notice.
        let sequence: UInt64?
        /// The device whose batch referred to the content; after a request, the device that was asked last.
        let holder: UInt64
        /// The batch of `holder` that referred to the content; 0 if no batch has to be merged before the request. The
        /// request follows the merge of the batch, because the record of the message, draft or file that needs the
        /// content may be a later record of the batch.
        let namedIn: UInt64
        /// True if the holder was asked and has not published the content since.
        var holderWasAsked = false
        /// True if the content was requested at least once, from whichever device.
        var anyWasAsked = false
        /// True if something in the store needs the content.
        var isWanted = false
    }

    static func find(_ digest: AttachmentDigest, _ connection: Connection) throws(StoreError) -> Row? {
        guard let row = try connection.first(selectOne, digest.bytes) else { return nil }
        return self.row(row)
    }

    private static func row(_ row: borrowing Rows) -> Row {
        Row(
            digest: AttachmentDigest(trusted: row.bytes(0)), device: row.device(1), sequence: row.optionalUnsigned(2),
            holder: row.device(3), namedIn: row.unsigned(4), holderWasAsked: !row.isNull(5), anyWasAsked: row.bool(6),
            isWanted: row.bool(7))
    }

    /// Writes a row.
    ///
    /// - Parameter now: The time at which data referred to the content. An earlier stored time is kept instead.
    static func write(_ row: Row, at now: Timestamp, _ connection: Connection) throws(StoreError) {
        try connection.runOrInsert(
            replace, insert, row.digest.bytes, DeviceColumn(row.device), row.sequence,
            DeviceColumn(row.holder), row.namedIn, now)
    }

    /// Returns the contents to ask for among the next rows after a digest.
    ///
    /// A content is not due while an answer may be on its way: from a device that was asked, or from the device that
    /// published it according to a notice. So the next device is asked after a minute in which no part of the content
    /// and no other data of the asked device arrived. If the asked device sends other things, the next one is asked
    /// after ten minutes. Once every device was asked, the pauses are long, and grow with the requests that had no
    /// answer. A content that nothing in the store needs yet is not due at first either, because a message that needs
    /// it may come later.
    ///
    /// - Parameters:
    ///   - deviceCount: The number of devices that can be asked.
    ///   - age: The age of the store, by which the arrival of pieces is recorded.
    /// - Returns: The rows, and the last digest that was examined; `nil` at the end.
    static func due(
        after digest: [UInt8], _ ownDevice: UInt64, deviceCount: Int, now: Timestamp, age: Timestamp,
        _ connection: Connection
    ) throws(StoreError) -> (found: [Row], last: [UInt8]?) {
        let rows = try connection.rows(
            select, digest, EngineLimits.stepRowsMax, DeviceColumn(ownDevice), now, ReplicaTimes.askingAgain,
            ReplicaTimes.contentQuiet, deviceCount, age)
        var found: [Row] = []
        var (lookedAt, last) = (0, [UInt8]())
        while try rows.next() {
            lookedAt += 1
            last = rows.bytes(0)
            guard rows.bool(8) else { continue }
            found.append(row(rows))
        }
        return (found, lookedAt < EngineLimits.stepRowsMax ? nil : last)
    }

    static func isThere(_ digest: AttachmentDigest, _ connection: Connection) throws(StoreError) -> Bool {
        try connection.first(selectAny, digest.bytes) != nil
    }

    static func setAsked(
        _ holder: UInt64, for digest: AttachmentDigest, at now: Timestamp, _ connection: Connection
    ) throws(StoreError) {
        try connection.run(update, digest.bytes, DeviceColumn(holder), now)
    }

    /// Allows requests to other devices for the contents whose holder was a removed device. The requests may follow at
    /// once, even if the removed device was already asked.
    static func askOthers(insteadOf device: UInt64, _ connection: Connection) throws(StoreError) {
        try connection.run(updateHeld, DeviceColumn(device))
    }

    static func delete(_ digest: AttachmentDigest, _ connection: Connection) throws(StoreError) {
        try connection.run(delete, digest.bytes)
    }

    /// The pause after a request: a minute until every device was asked once. Then it is six hours up to the sixteenth
    /// request, and then rises to one week.
    private static let pause = "CASE WHEN c.asked_count < ?7 THEN ?6 ELSE ?5 * min(max(c.asked_count - 16, 1), 28) END"

    // If another device refers to a content that was already requested, the row does not change its holder, so the next
    // request comes no earlier.
    private static let replace = StatementText(
        """
        UPDATE OR FAIL replica_missing_contents SET device = ?2, sequence = ?3,
            holder = CASE WHEN asked_at IS NULL THEN ?4 ELSE holder END,
            named_in = CASE WHEN asked_at IS NULL THEN ?5 ELSE named_in END,
            named_at = min(named_at, ?6)
        WHERE digest = ?1
        """)
    private static let insert = StatementText(
        "INSERT INTO replica_missing_contents VALUES (?1, ?2, ?3, ?4, ?5, ?6, NULL, 0)")
    private static let isWanted = """
        EXISTS (
            SELECT 1 FROM attachment_contents AS a WHERE a.digest = r.digest AND a.reference_count > 0
            UNION ALL SELECT 1 FROM replica_wanted_files AS w WHERE w.digest = r.digest)
        """
    // A content that has arrived is due at once in two cases: this device published a reference to it without having
    // it, or this device has requested it. The content then has to be published, because other devices may lack it,
    // too.
    private static let select = StatementText(
        """
        SELECT c.digest, c.device, c.sequence, c.holder, c.named_in, c.asked_at, c.asked_count > 0, c.is_wanted,
            (c.named_in = 0 OR h.fault IS NOT NULL OR ifnull(h.merged_sequence >= c.named_in, 1))
            AND ((c.is_here AND (c.device = ?3 OR c.asked_at IS NOT NULL))
                OR (c.asked_at IS NULL OR c.asked_at NOT BETWEEN ?4 - \(pause) AND ?4) AND NOT c.is_arriving
                AND (c.named_at NOT BETWEEN ?4 - ?5 AND ?4 AND (c.asked_at IS NULL OR NOT c.is_wanted)
                    OR c.is_wanted AND (
                    c.device = ?3 OR m.device IS NULL OR m.fault IS NOT NULL
                    OR CASE WHEN c.asked_at IS NULL AND c.sequence IS NOT NULL
                        THEN ifnull(m.merged_sequence >= min(c.sequence, ifnull(m.removed_through, c.sequence)), 0)
                        ELSE ifnull(h.merged_at NOT BETWEEN ?4 - ?6 AND ?4, 1)
                            OR ifnull(c.asked_at NOT BETWEEN ?4 - 10 * ?6 AND ?4, 0) END)))
        FROM (
            SELECT *, \(isWanted) AS is_wanted, EXISTS (
                SELECT 1 FROM attachment_contents AS a WHERE a.digest = r.digest AND a.stored IS NOT NULL) AS is_here,
                EXISTS (
                    SELECT 1 FROM replica_staged_contents AS s
                    WHERE s.digest = r.digest AND s.changed_at BETWEEN ?8 - ?6 AND ?8) AS is_arriving
            FROM replica_missing_contents AS r WHERE digest > ?1 ORDER BY digest LIMIT ?2) AS c
        LEFT JOIN replica_members AS m ON m.device = c.device LEFT JOIN replica_members AS h ON h.device = c.holder
        ORDER BY c.digest
        """)
    private static let update = StatementText(
        """
        UPDATE OR FAIL replica_missing_contents SET holder = ?2, named_in = 0, asked_at = ?3,
            asked_count = asked_count + 1
        WHERE digest = ?1
        """)
    private static let updateHeld = StatementText(
        "UPDATE OR FAIL replica_missing_contents SET named_in = 0, asked_at = NULL WHERE holder = ?1")
    private static let selectOne = StatementText(
        """
        SELECT digest, device, sequence, holder, named_in, asked_at, asked_count > 0, \(isWanted)
        FROM replica_missing_contents AS r WHERE digest = ?1
        """)
    private static let selectAny = StatementText("SELECT 1 FROM replica_missing_contents WHERE digest = ?1")
    private static let delete = StatementText("DELETE FROM replica_missing_contents WHERE digest = ?1")
}
