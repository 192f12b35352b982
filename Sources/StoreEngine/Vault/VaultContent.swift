import SQLCipher
import StoreBasics
import StoreCrypto

/// A content in a file of the vault, as one snapshot of the database describes it.
struct VaultContent: Sendable {
    let number: Int64
    let header: ContentHeader
    let key: SharedContentKey
    /// The generation of the last write; see `ContentTarget.generation`.
    let generation: UInt64
    let byteCount: UInt64
    /// The number of chunks that all writes have sealed under the key.
    let chunksSealed: UInt64

    /// - Parameters:
    ///   - row: id, key, cipher, chunk bytes, generation, byte count and chunks sealed.
    ///   - heldKey: returns the key of a content whose file is open, so that no second copy of the key is made.
    init(
        _ row: borrowing Rows, number: Int64, heldKey: (ContentID) -> SharedContentKey?
    ) throws(StoreError) {
        guard let id = ContentID(row.borrowedBytes(0)), row.borrowedBytes(1).count == ContentKey.keyBytes,
            let cipher = UInt8(exactly: row.integer(2)).flatMap(ChunkCipher.init(rawValue:)),
            let chunkBytes = UInt32(exactly: row.integer(3)), Self.chunkBytesBounds.contains(chunkBytes)
        else { throw .databaseDamaged("the database row of a content is invalid") }
        self.number = number
        header = ContentHeader(id: id, cipher: cipher, chunkBytes: chunkBytes)
        key =
            if let held = heldKey(id) { held } else {
                SharedContentKey(ContentKey(bytes: try mappedKeys(SecretBytes(copying: row.borrowedBytes(1)))))
            }
        generation = row.unsigned(4)
        byteCount = UInt64(try row.count(5))
        chunksSealed = row.unsigned(6)
    }

    /// The number of sealed chunks after which a content gets a new key. The remaining quarter is more than one write
    /// can seal.
    private static let chunksSealedMax = ChunkCipher.chunksPerKeyMax / 4 * 3

    var isKeyWornOut: Bool { chunksSealed > Self.chunksSealedMax }

    /// The chunk size of new contents.
    static let chunkBytes = UInt32(EngineLimits.inlineFileBytesMax)
    private static let chunkBytesBounds: ClosedRange<UInt32> = 1_024...(1 << 20)

    var layout: ChunkLayout { ChunkLayout(byteCount: byteCount, chunkBytes: Int(header.chunkBytes)) }
}

/// The division of a content's bytes into chunks.
struct ChunkLayout {
    let byteCount: UInt64
    let chunkBytes: Int

    var chunkCount: UInt64 { byteCount / UInt64(chunkBytes) + (byteCount % UInt64(chunkBytes) == 0 ? 0 : 1) }

    /// Returns the chunks that contain a byte of `range`.
    func chunks(of range: Range<UInt64>) -> Range<UInt64> {
        guard !range.isEmpty else { return 0..<0 }
        return (range.lowerBound / UInt64(chunkBytes))..<((range.upperBound - 1) / UInt64(chunkBytes) + 1)
    }

    /// Returns the size of a chunk: `chunkBytes`, less for the last chunk, and 0 after it.
    func byteCount(of chunk: UInt64) -> Int {
        let start = chunk * UInt64(chunkBytes)
        return start < byteCount ? Int(min(UInt64(chunkBytes), byteCount - start)) : 0
    }
}

/// The key of one content, which several owners may share. An unfinished write passes it from thread to thread.
final class SharedContentKey: Sendable, Bindable {
    let key: ContentKey

    init(_ key: consuming ContentKey) {
        self.key = key
    }

    func bind(to statement: Statement, _ index: inout Int) {
        key.withUnsafeBytes { statement.bind(index, $0) }
        index += 1
    }
}

/// A content whose file is complete but whose rows are not written yet.
struct NewContent: Sendable {
    let header: ContentHeader
    let key: SharedContentKey
    let generation: UInt64
    let byteCount: UInt64
    let runs: [ChunkRun]

    var chunksSealed: UInt64 { runs.reduce(0) { $0 + UInt64($1.chunks.count) } }
}

/// The changes that a write makes to the rows of a content.
struct RewrittenContent: Sendable {
    let number: Int64
    let generation: UInt64
    let byteCount: UInt64
    let removedRuns: [ChunkRun]
    let insertedRuns: [ChunkRun]
    let freedSlots: [Range<UInt64>]
    /// The number of chunks that this write has sealed.
    let chunksSealed: UInt64
}

/// The rows of `content_chunks`: the chunk map of each content, with one row for each run.
enum ChunkRunRows {
    static func insert(_ run: ChunkRun, of content: Int64, _ connection: Connection) throws(StoreError) {
        try connection.run(
            insertRun, content, run.chunks.lowerBound, run.chunks.count, run.firstSlot, run.generation)
    }

    static func delete(_ run: ChunkRun, of content: Int64, _ connection: Connection) throws(StoreError) {
        try connection.run(deleteRun, content, run.chunks.lowerBound)
    }

    /// Returns the runs that contain at least one of `chunks`, in order.
    ///
    /// - Throws: `.databaseDamaged` if a chunk is in no run.
    static func read(
        _ chunks: Range<UInt64>, of content: Int64, _ connection: Connection
    ) throws(StoreError) -> [ChunkRun] {
        guard let runs = try readIfWhole(chunks, of: content, connection) else {
            throw .databaseDamaged("the position of a chunk of a file is missing")
        }
        return runs
    }

    /// Returns the runs that contain at least one of `chunks`; `nil` if a chunk is in no run.
    static func readIfWhole(
        _ chunks: Range<UInt64>, of content: Int64, _ connection: Connection
    ) throws(StoreError) -> [ChunkRun]? {
        guard let last = chunks.last else { return [] }
        let rows = try connection.rows(selectRuns, content, chunks.lowerBound, last)
        var runs: [ChunkRun] = []
        while try rows.next() {
            guard let run = run(rows) else { return nil }
            guard run.chunks.lowerBound <= chunks.lowerBound || run.chunks.lowerBound == runs.last?.chunks.upperBound
            else { break }
            runs.append(run)
        }
        guard let first = runs.first, let end = runs.last, first.chunks.lowerBound <= chunks.lowerBound,
            end.chunks.upperBound >= chunks.upperBound
        else { return nil }
        return runs
    }

    /// Decodes a row; returns `nil` if its numbers are invalid.
    private static func run(_ row: borrowing Rows) -> ChunkRun? {
        guard let first = try? UInt64(row.count(0)), let count = try? UInt64(row.count(1)),
            let slot = try? UInt64(row.count(2))
        else { return nil }
        return ChunkRun(chunks: first..<(first + count), firstSlot: slot, generation: row.unsigned(3))
    }

    private static let insertRun = StatementText(
        """
        INSERT INTO content_chunks (content, first_chunk, chunk_count, first_slot, generation)
        VALUES (?1, ?2, ?3, ?4, ?5)
        """)
    private static let deleteRun = StatementText(
        "DELETE FROM content_chunks WHERE content = ?1 AND first_chunk = ?2")
    private static let selectRuns = StatementText(
        """
        SELECT first_chunk, chunk_count, first_slot, generation FROM content_chunks
        WHERE content = ?1 AND first_chunk <= ?3 AND first_chunk >= ifnull((
            SELECT max(first_chunk) FROM content_chunks WHERE content = ?1 AND first_chunk <= ?2), 0)
        ORDER BY first_chunk
        """)
}

/// The rows of `content_freed_slots`: slots whose chunks must be erased from the disk before the slots are used again.
enum FreedSlotRows {
    static func insert(
        _ slots: Range<UInt64>, of content: Int64, _ connection: Connection
    ) throws(StoreError) {
        try connection.run(insertSlots, content, slots.lowerBound, slots.count)
    }

    static func read(of content: Int64, _ connection: Connection) throws(StoreError) -> [Range<UInt64>] {
        let rows = try connection.rows(selectSlots, content)
        var slots: [Range<UInt64>] = []
        while try rows.next() {
            slots.append(try range(rows))
        }
        return slots
    }

    /// Returns the first freed slots and the number of their content.
    ///
    /// - Parameter id: the content to look for; `nil` for any content.
    static func first(
        of id: ContentID?, _ connection: Connection
    ) throws(StoreError) -> (content: Int64, slots: Range<UInt64>)? {
        if let id {
            guard let content = try FileContents.content(id, connection) else { return nil }
            return try read(of: content.number, connection).first.map { (content.number, $0) }
        }
        guard let row = try connection.first(selectFirst) else { return nil }
        return (row.integer(2), try range(row))
    }

    /// Removes the first slots of a row after they have been overwritten.
    static func forget(
        _ slots: Range<UInt64>, of content: Int64, _ connection: Connection
    ) throws(StoreError) {
        guard let row = try connection.first(selectSlotCount, content, slots.lowerBound) else { return }
        let end = slots.lowerBound + UInt64(try row.count(0))
        try connection.run(deleteSlots, content, slots.lowerBound)
        if slots.upperBound < end {
            try insert(slots.upperBound..<end, of: content, connection)
        }
    }

    private static func range(_ row: borrowing Rows) throws(StoreError) -> Range<UInt64> {
        let first = UInt64(try row.count(0))
        return first..<(first + UInt64(try row.count(1)))
    }

    private static let insertSlots = StatementText(
        "INSERT INTO content_freed_slots (content, first_slot, slot_count) VALUES (?1, ?2, ?3)")
    private static let deleteSlots = StatementText(
        "DELETE FROM content_freed_slots WHERE content = ?1 AND first_slot = ?2")
    private static let selectSlots = StatementText(
        "SELECT first_slot, slot_count FROM content_freed_slots WHERE content = ?1")
    private static let selectSlotCount = StatementText(
        "SELECT slot_count FROM content_freed_slots WHERE content = ?1 AND first_slot = ?2")
    /// Selects only slots of existing contents. The rows of a deleted content are removed with its other rows.
    private static let selectFirst = StatementText(
        """
        SELECT s.first_slot, s.slot_count, s.content FROM content_freed_slots AS s
        WHERE EXISTS (SELECT 1 FROM file_contents WHERE number = s.content)
        ORDER BY s.content, s.first_slot LIMIT 1
        """)
}
