import ReplicaModel
import SQLCipher
import StoreBasics

/// The tables of contents that a group's stores tell each other: what is told, what is still to be told, what lacks,
/// and what has come in part.
enum ReplicaContentTables {
    static let definitions = """
        CREATE TABLE replica_contents (
            digest BLOB NOT NULL PRIMARY KEY,
            device INTEGER NOT NULL,
            sequence INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE replica_untold_contents (
            number INTEGER PRIMARY KEY,
            digest BLOB NOT NULL UNIQUE,
            byte_count INTEGER NOT NULL,
            told_bytes INTEGER NOT NULL
        );
        CREATE TABLE replica_missing_contents (
            digest BLOB NOT NULL PRIMARY KEY,
            device INTEGER NOT NULL,
            sequence INTEGER NOT NULL,
            holder INTEGER NOT NULL,
            named_in INTEGER NOT NULL,
            named_at INTEGER NOT NULL,
            asked_at INTEGER
        ) WITHOUT ROWID;
        CREATE TABLE replica_staged_contents (
            content INTEGER PRIMARY KEY,
            digest BLOB NOT NULL,
            device INTEGER NOT NULL,
            byte_count INTEGER NOT NULL,
            changed_at INTEGER NOT NULL
        );
        CREATE UNIQUE INDEX replica_staged_contents_by_digest ON replica_staged_contents (digest, device);
        CREATE TABLE replica_digests (
            content INTEGER PRIMARY KEY,
            generation INTEGER NOT NULL,
            digest BLOB NOT NULL
        );
        CREATE INDEX replica_digests_by_digest ON replica_digests (digest);
        CREATE TABLE replica_untold_paths (
            name BLOB NOT NULL PRIMARY KEY,
            place BLOB NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE replica_wanted_files (
            name BLOB NOT NULL PRIMARY KEY,
            digest BLOB NOT NULL,
            value BLOB NOT NULL,
            known BLOB NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX replica_wanted_files_by_digest ON replica_wanted_files (digest);
        """

    static let names = [
        "replica_contents", "replica_untold_contents", "replica_missing_contents", "replica_staged_contents",
        "replica_digests", "replica_untold_paths", "replica_wanted_files",
    ]
}

/// The rows of `replica_contents`: contents that are in batches of the group as a whole, who told them, and the batch
/// with the last of each.
enum ReplicaContentRows {
    static func read(
        _ digest: AttachmentDigest, _ connection: Connection
    ) throws(StoreError) -> (device: UInt64, sequence: UInt64)? {
        guard let row = try connection.first(select, digest.bytes) else { return nil }
        return (UInt64(bitPattern: row.integer(0)), row.unsigned(1))
    }

    static func write(
        _ digest: AttachmentDigest, _ device: UInt64, _ sequence: UInt64, _ connection: Connection
    ) throws(StoreError) {
        try connection.runOrInsert(update, insert, digest.bytes, Int64(bitPattern: device), sequence)
    }

    private static let select = StatementText("SELECT device, sequence FROM replica_contents WHERE digest = ?1")
    private static let update = StatementText(
        "UPDATE OR FAIL replica_contents SET device = ?2, sequence = ?3 WHERE digest = ?1")
    private static let insert = StatementText("INSERT INTO replica_contents VALUES (?1, ?2, ?3)")
}

/// The rows of `replica_untold_contents`: what this device is to tell, the first first, and how far it has come.
enum UntoldContentRows {
    struct Row {
        let number: Int64
        let digest: AttachmentDigest
        let byteCount: UInt64
        let toldBytes: UInt64
    }

    static func first(_ connection: Connection) throws(StoreError) -> Row? {
        guard let row = try connection.first(select) else { return nil }
        return Row(
            number: row.integer(0), digest: AttachmentDigest(trusted: row.bytes(1)), byteCount: row.unsigned(2),
            toldBytes: row.unsigned(3))
    }

    /// One that waits already keeps its place.
    static func insert(
        _ digest: AttachmentDigest, byteCount: UInt64, _ connection: Connection
    ) throws(StoreError) {
        try connection.run(insert, digest.bytes, byteCount)
    }

    static func setTold(_ bytes: UInt64, of number: Int64, _ connection: Connection) throws(StoreError) {
        try connection.run(update, number, bytes)
    }

    static func delete(_ number: Int64, _ connection: Connection) throws(StoreError) {
        try connection.run(delete, number)
    }

    private static let select = StatementText(
        "SELECT number, digest, byte_count, told_bytes FROM replica_untold_contents ORDER BY number LIMIT 1")
    private static let insert = StatementText(
        "INSERT OR IGNORE INTO replica_untold_contents (digest, byte_count, told_bytes) VALUES (?1, ?2, 0)")
    private static let update = StatementText(
        "UPDATE OR FAIL replica_untold_contents SET told_bytes = ?2 WHERE number = ?1")
    private static let delete = StatementText("DELETE FROM replica_untold_contents WHERE number = ?1")
}

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
            replace, insert, row.digest.bytes, Int64(bitPattern: row.device), row.sequence,
            Int64(bitPattern: row.holder), row.namedIn, now)
    }

    /// Those for which nothing is to be waited for any more.
    static func due(_ ownDevice: UInt64, now: Timestamp, _ connection: Connection) throws(StoreError) -> [Row] {
        let before = now.microseconds - answerMicroseconds
        let rows = try connection.rows(select, Int64(bitPattern: ownDevice), EngineLimits.stepRowsMax, before)
        var found: [Row] = []
        while try rows.next() {
            found.append(
                Row(
                    digest: AttachmentDigest(trusted: rows.bytes(0)), device: UInt64(bitPattern: rows.integer(1)),
                    sequence: rows.unsigned(2), holder: UInt64(bitPattern: rows.integer(3)),
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
        try connection.run(update, digest.bytes, Int64(bitPattern: holder), now)
    }

    /// What a device that was removed was asked for, or was to be.
    static func askOthers(insteadOf device: UInt64, _ connection: Connection) throws(StoreError) {
        try connection.run(updateHeld, Int64(bitPattern: device))
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

/// The rows of `replica_digests`: what contents of files in the vault are, by their last write.
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

    /// A content that is here.
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
