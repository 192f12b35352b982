import SQLCipher
import StoreBasics

/// The authenticator of a record, which the next one repeats.
struct RecordTag: Hashable, Sendable {
    static let byteCount = 16
    static let none = RecordTag(high: 0, low: 0)

    let high: UInt64
    let low: UInt64

    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// `nil` for any other number of bytes.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count == Self.byteCount else { return nil }
        high = bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self).bigEndian
        low = bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self).bigEndian
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: high)
        bytes.append(bigEndian: low)
        return bytes
    }
}

/// How far into the journal something has come: the last record of it, and its tag.
struct JournalPosition: Hashable, Sendable {
    /// Before the first record.
    static let start = JournalPosition(record: 0, tag: .none)

    var record: UInt64
    var tag: RecordTag
}

/// The one row of `journal`: up to which record the database holds what was answered. It is written with every commit
/// of pages, and not recorded itself; the first record makes it.
enum JournalRow {
    static let table = """
        CREATE TABLE journal (
            singleton INTEGER PRIMARY KEY CHECK (singleton = 1),
            record INTEGER NOT NULL,
            tag BLOB NOT NULL
        );
        """

    /// `.start` where there is no row.
    static func read(_ connection: Connection) throws(StoreError) -> JournalPosition {
        guard let row = try connection.first(select) else { return .start }
        guard let tag = RecordTag(row.borrowedBytes(1)) else {
            throw .databaseDamaged("the position in the journal is invalid")
        }
        return JournalPosition(record: UInt64(try row.count(0)), tag: tag)
    }

    static func make(_ connection: Connection) throws(StoreError) {
        try connection.run(insert, 0, RecordTag.none.bytes)
    }

    static func write(_ position: JournalPosition, _ connection: Connection) throws(StoreError) {
        try connection.run(update, position.record, position.tag.bytes)
    }

    /// The database begins another journal.
    static func remove(_ connection: Connection) throws(StoreError) {
        try connection.run(delete)
    }

    private static let select = StatementText("SELECT record, tag FROM journal")
    private static let insert = StatementText("INSERT INTO journal (singleton, record, tag) VALUES (1, ?1, ?2)")
    private static let update = StatementText("UPDATE OR FAIL journal SET record = ?1, tag = ?2")
    private static let delete = StatementText("DELETE FROM journal")
}
