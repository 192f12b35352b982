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
        let evictable = try connection.first(evictableBytes)?.unsigned(0) ?? 0
        guard evictable > cache.bytesMax else { return false }
        var excess = evictable - cache.bytesMax
        for content in try oldest(connection) where excess > 0 {
            guard !slice.isOver || excess == evictable - cache.bytesMax else { break }
            try connection.run(evict, content.number)
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
        "UPDATE attachment_contents SET used_at = ?2 WHERE stored = ?1 AND used_at <= ?3")
    private static let evictableBytes = StatementText(
        "SELECT ifnull(sum(byte_count), 0) FROM attachment_contents WHERE \(condition)")
    private static let longestUnused = StatementText(
        """
        SELECT number, stored, byte_count FROM attachment_contents WHERE \(condition)
        ORDER BY used_at, number LIMIT ?1
        """)
    private static let evict = StatementText("UPDATE attachment_contents SET stored = NULL WHERE number = ?1")
}

/// How much the contents of attachments are.
package struct AttachmentUsage: Hashable, Sendable {
    /// Those that attachments have, or that were written for some.
    package var contentCount = 0
    package var byteCount: UInt64 = 0
    /// Of those whose bytes are there.
    package var storedCount = 0
    package var storedBytes: UInt64 = 0
    /// Of those of these that can be fetched again.
    package var evictableBytes: UInt64 = 0
    /// What the last may be; 0: no bound.
    package var evictableBytesMax: UInt64 = 0
}

extension StoreReader {
    package func attachmentUsage() throws(StoreError) -> AttachmentUsage {
        let bytesMax = source.attachmentCache.bytesMax
        return try read { connection throws(StoreError) in
            var usage = AttachmentUsage(evictableBytesMax: bytesMax)
            guard let row = try connection.first(Self.usage) else { return usage }
            usage.contentCount = row.int(0)
            usage.byteCount = row.unsigned(1)
            usage.storedCount = row.int(2)
            usage.storedBytes = row.unsigned(3)
            usage.evictableBytes = row.unsigned(4)
            return usage
        }
    }

    private static let usage = StatementText(
        """
        SELECT count(*), ifnull(sum(byte_count), 0), count(stored),
            ifnull(sum(CASE WHEN stored IS NOT NULL THEN byte_count END), 0),
            ifnull(sum(CASE WHEN \(AttachmentEviction.condition) THEN byte_count END), 0)
        FROM attachment_contents
        """)
}
