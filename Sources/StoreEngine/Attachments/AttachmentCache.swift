import SQLCipher
import StoreBasics
import StoreCrypto
import Synchronization

/// What contents of attachments that can be fetched again may take, and which of them were read lately.
final class AttachmentCache: Sendable {
    /// Reads that are known: of more contents than that the later ones are not.
    private static let readsMax = 4_096

    /// 0: no bound.
    let bytesMax: UInt64
    /// The store's age at the last read of contents, by the numbers of their bytes.
    private let reads = Mutex<[Int64: Int64]>([:])

    init(bytesMax: UInt64) {
        self.bytesMax = bytesMax
    }

    func noteRead(of stored: Int64, at age: Int64) {
        guard bytesMax > 0 else { return }
        reads.withLock { reads in
            if reads.count < Self.readsMax || reads[stored] != nil {
                reads[stored] = age
            }
        }
    }

    fileprivate func takeReads() -> [Int64: Int64] {
        reads.withLock { reads in
            defer { reads = [:] }
            return reads
        }
    }
}

/// Lets go of the bytes of contents that can be fetched again, those used longest ago first, until the rest of them
/// fits its bound. The contents stay known, and their attachments listed.
enum AttachmentEviction {
    /// - Parameter released: what has files in the vault.
    /// - Returns: whether there may be more to let go of.
    static func step(
        _ cache: AttachmentCache, _ slice: WorkSlice, _ connection: Connection, _ released: inout [ContentID]
    ) throws(StoreError) -> Bool {
        guard cache.bytesMax > 0 else { return false }
        for (stored, age) in cache.takeReads() {
            try connection.run(noteUse, stored, age, age - coarseMicroseconds)
        }
        let evictable = try EvictableBytes.read(connection)
        guard evictable > cache.bytesMax else { return false }
        var excess = evictable - cache.bytesMax
        for content in try oldest(connection) where excess > 0 {
            guard !slice.isOver || excess == evictable - cache.bytesMax else { break }
            try EvictableBytes.counting(content.number, connection) { () throws(StoreError) in
                try connection.run(evict, content.number)
            }
            try RowRemoval.releaseContent(content.stored, connection, &released)
            excess -= min(excess, content.byteCount)
        }
        return true
    }

    private static func oldest(
        _ connection: Connection
    ) throws(StoreError) -> [(number: Int64, stored: Int64, byteCount: UInt64)] {
        let rows = try connection.rows(longestUnused, EngineLimits.stepRowsMax)
        var contents: [(number: Int64, stored: Int64, byteCount: UInt64)] = []
        while try rows.next() {
            contents.append((rows.integer(0), rows.integer(1), rows.unsigned(2)))
        }
        return contents
    }

    /// A use is not kept more often than that: an hour.
    private static let coarseMicroseconds: Int64 = 3_600_000_000
    /// Of the index `attachment_contents_by_use`.
    static let condition = "stored IS NOT NULL AND kept_count = 0 AND reference_count > 0 AND expires_at IS NULL"
    private static let noteUse = StatementText(
        "UPDATE OR FAIL attachment_contents SET used_at = ?2 WHERE stored = ?1 AND used_at <= ?3")
    private static let longestUnused = StatementText(
        """
        SELECT number, stored, byte_count FROM attachment_contents WHERE \(condition)
        ORDER BY used_at, number LIMIT ?1
        """)
    private static let evict = StatementText("UPDATE OR FAIL attachment_contents SET stored = NULL WHERE number = ?1")
}

/// The sum of what can be evicted, on the store's row: whatever changes a content counts it with, in the same
/// transaction.
enum EvictableBytes {
    static func read(_ connection: Connection) throws(StoreError) -> UInt64 {
        guard let row = try connection.first(selectSum) else { throw .databaseDamaged("it does not say its age") }
        return UInt64(try row.count(0))
    }

    /// Runs what makes, changes or deletes a content.
    static func counting(
        _ content: Int64, _ connection: Connection, _ change: () throws(StoreError) -> Void
    ) throws(StoreError) {
        let before = try share(of: content, connection)
        try change()
        let difference = try share(of: content, connection) - before
        if difference != 0 {
            try connection.run(add, difference)
        }
    }

    /// All contents are gone.
    static func startOver(_ connection: Connection) throws(StoreError) {
        try connection.run(clear)
    }

    private static func share(of content: Int64, _ connection: Connection) throws(StoreError) -> Int64 {
        try connection.first(selectShare, content)?.integer(0) ?? 0
    }

    private static let selectSum = StatementText("SELECT evictable_bytes FROM store")
    private static let add = StatementText("UPDATE OR FAIL store SET evictable_bytes = evictable_bytes + ?1")
    private static let clear = StatementText("UPDATE OR FAIL store SET evictable_bytes = 0")
    private static let selectShare = StatementText(
        "SELECT byte_count FROM attachment_contents WHERE number = ?1 AND \(AttachmentEviction.condition)")
}
