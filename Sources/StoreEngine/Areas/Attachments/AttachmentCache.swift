import SQLCipher
import StoreBasics
import StoreCrypto
import Synchronization

/// The limit for evictable contents of attachments, and the contents that were read recently.
final class AttachmentCache: Sendable {
    /// The most contents whose reads are recorded between two steps of eviction. A step adds the recorded reads to the
    /// earlier reads. If there are already more earlier reads than this number, the step first forgets the older half
    /// of them.
    private static let readsMax = 4_096

    /// The most bytes of evictable contents; 0 for no limit.
    let bytesMax: UInt64
    private struct Reads {
        /// For each content that was read since the previous step of eviction, the store's age at the newest read. The
        /// key is the content's number in the vault.
        var new: [Int64: Int64] = [:]
        /// Earlier reads, which the database records only to the hour.
        var coarse: [Int64: Int64] = [:]
        /// The reads of both kinds that the current step has removed.
        var drainedNew: [Int64: Int64] = [:]
        var removedCoarse: [Int64: Int64] = [:]
    }

    private let reads = Mutex(Reads())

    init(bytesMax: UInt64) {
        self.bytesMax = bytesMax
    }

    func recordRead(of stored: Int64, at age: Int64) {
        guard bytesMax > 0 else { return }
        reads.withLock { reads in
            if reads.new.count < Self.readsMax || reads.new[stored] != nil {
                reads.new[stored] = age
            }
        }
    }

    /// Removes and returns the reads since the last step, and adds them to the earlier reads in `coarse`.
    fileprivate func drainNewReads() -> [Int64: Int64] {
        reads.withLock { reads in
            let new = reads.new
            reads.new = [:]
            if reads.coarse.count > Self.readsMax {
                // Forget the older half to limit the memory. The database still has these reads to the hour.
                let ages = reads.coarse.values.sorted()
                reads.coarse = reads.coarse.filter { $0.value > ages[ages.count / 2] }
            }
            reads.coarse.merge(new) { max($0, $1) }
            reads.drainedNew = new
            return new
        }
    }

    /// Removes and returns one read that the database records only to the hour.
    fileprivate func removeCoarseRead() -> (stored: Int64, age: Int64)? {
        reads.withLock { reads in
            guard let (stored, age) = reads.coarse.popFirst() else { return nil }
            reads.removedCoarse[stored] = age
            return (stored, age)
        }
    }

    /// Ends a step. If its transaction was rolled back, puts back the reads that the step has removed.
    func endStep(isCommitted: Bool) {
        reads.withLock { reads in
            if !isCommitted {
                reads.new.merge(reads.drainedNew) { max($0, $1) }
                reads.coarse.merge(reads.removedCoarse) { max($0, $1) }
            }
            (reads.drainedNew, reads.removedCoarse) = ([:], [:])
        }
    }
}

/// Evicts the bytes of contents that can be fetched again, until the rest fits the limit. Contents larger than the
/// whole limit are evicted first, then the least recently used ones. The rows of the contents are kept, so that their
/// attachments are still listed.
enum AttachmentEviction {
    /// Performs one step of eviction.
    ///
    /// - Parameter released: Receives the evicted contents that have a file in the vault.
    /// - Returns: True if more contents may have to be evicted.
    static func step(
        _ cache: AttachmentCache, _ slice: WorkSlice, _ connection: Connection, _ released: inout [ContentID]
    ) throws(StoreError) -> Bool {
        guard cache.bytesMax > 0 else { return false }
        for (stored, age) in cache.drainNewReads() {
            try connection.run(updateUsedAt, stored, age, age - coarseMicroseconds)
        }
        let evictable = try EvictableBytes.read(connection)
        guard evictable > cache.bytesMax else { return false }
        // Write the exact times of all reads first. Otherwise a content that was read within the last hour could be
        // evicted before a content that was saved in this hour and not read.
        while let read = cache.removeCoarseRead() {
            try connection.run(updateUsedAt, read.stored, read.age, read.age - 1)
            guard !slice.isOver else { return true }
        }
        var excess = evictable - cache.bytesMax
        for content in try next(cache, connection) where excess > 0 {
            guard !slice.isOver || excess == evictable - cache.bytesMax else { break }
            try EvictableBytes.counting(content.number, connection) { () throws(StoreError) in
                try connection.run(evict, content.number)
            }
            try Leftovers.releaseContent(content.stored, connection, &released)
            excess -= min(excess, content.byteCount)
        }
        return true
    }

    private static func next(
        _ cache: AttachmentCache, _ connection: Connection
    ) throws(StoreError) -> [(number: Int64, stored: Int64, byteCount: UInt64)] {
        let tooLarge = try read(connection.rows(larger, cache.bytesMax, EngineLimits.stepRowsMax))
        return tooLarge.isEmpty ? try read(connection.rows(longestUnused, EngineLimits.stepRowsMax)) : tooLarge
    }

    private static func read(
        _ rows: consuming Rows
    ) throws(StoreError) -> [(number: Int64, stored: Int64, byteCount: UInt64)] {
        var contents: [(number: Int64, stored: Int64, byteCount: UInt64)] = []
        while try rows.next() {
            contents.append((rows.integer(0), rows.integer(1), rows.unsigned(2)))
        }
        return contents
    }

    /// The interval, one hour, at which reads of a content are written to the database. Before an eviction, the exact
    /// times are written.
    private static let coarseMicroseconds: Int64 = 3_600_000_000
    /// The condition of the index `attachment_contents_by_use`.
    static let condition = "stored IS NOT NULL AND kept_count = 0 AND reference_count > 0 AND expires_at IS NULL"
    private static let updateUsedAt = StatementText(
        "UPDATE OR FAIL attachment_contents SET used_at = ?2 WHERE stored = ?1 AND used_at <= ?3")
    private static let longestUnused = StatementText(
        """
        SELECT number, stored, byte_count FROM attachment_contents WHERE \(condition)
        ORDER BY used_at, number LIMIT ?1
        """)
    private static let larger = StatementText(
        "SELECT number, stored, byte_count FROM attachment_contents WHERE \(condition) AND byte_count > ?1 LIMIT ?2")
    private static let evict = StatementText("UPDATE OR FAIL attachment_contents SET stored = NULL WHERE number = ?1")
}

/// The sum of the bytes of evictable contents, in the row of the store. Every change of a content updates it in the
/// same transaction, by `counting`.
enum EvictableBytes {
    static func read(_ connection: Connection) throws(StoreError) -> UInt64 {
        guard let row = try connection.first(selectSum) else {
            throw .databaseDamaged("the row of the table 'store' is missing")
        }
        return UInt64(try row.count(0))
    }

    /// Runs a change that creates, changes or deletes a content, and updates the sum.
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

    /// Sets the sum to 0, because all contents were deleted.
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

extension StoreReader {
    /// The cache that records which contents of attachments are read.
    var attachmentCache: AttachmentCache { source.parts.find(AttachmentCache.self) }
}
