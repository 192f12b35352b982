import SQLCipher
import StoreBasics

/// The authentication tag of a record. The next record repeats it.
struct RecordTag: Hashable, Sendable {
    static let byteCount = 16
    static let none = RecordTag(high: 0, low: 0)

    let high: UInt64
    let low: UInt64

    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Returns `nil` if the number of bytes is not `byteCount`.
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

/// A position in the journal: the number and the tag of a record. All records up to it are included.
struct JournalPosition: Hashable, Sendable {
    /// The position before the first record.
    static let start = JournalPosition(record: 0, tag: .none)

    var record: UInt64
    var tag: RecordTag
}

/// The only row of the table `journal`: the last record whose changes the database contains. It is written with every
/// commit of pages and is not itself recorded in the journal. The row is created with the first record.
enum JournalRow {
    static let table = """
        CREATE TABLE journal (
            singleton INTEGER PRIMARY KEY CHECK (singleton = 1),
            record INTEGER NOT NULL,
            tag BLOB NOT NULL
        );
        """

    /// Returns the position, or `.start` if there is no row.
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

    /// Removes the row, because the database starts another journal.
    static func remove(_ connection: Connection) throws(StoreError) {
        try connection.run(delete)
    }

    private static let select = StatementText("SELECT record, tag FROM journal")
    private static let insert = StatementText("INSERT INTO journal (singleton, record, tag) VALUES (1, ?1, ?2)")
    private static let update = StatementText("UPDATE OR FAIL journal SET record = ?1, tag = ?2")
    private static let delete = StatementText("DELETE FROM journal")
}
