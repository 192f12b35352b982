import SQLCipher
import StoreBasics
import StoreCrypto

/// The contents of files, things of their own that copies of a file share. A small one lies in the database and never
/// changes: what is written makes another. A larger one lies in a file of the vault, and is written over in parts while
/// no copy shares it.
enum FileContents {
    /// Where a content lies.
    enum Place {
        case database
        case vault(VaultContent)
    }

    /// - Parameter number: the revision of the change that makes it.
    static func insert(_ bytes: [UInt8], number: Int64, _ connection: Connection) throws(StoreError) {
        try connection.run(insertContent, number, bytes.count, bytes)
    }

    /// - Throws: `.databaseDamaged` where there is no such content.
    static func byteCount(of number: Int64, _ connection: Connection) throws(StoreError) -> UInt64 {
        guard let row = try connection.first(selectByteCount, number) else {
            throw .databaseDamaged("a file or an attachment refers to content that does not exist")
        }
        return UInt64(try row.count(0))
    }

    private static let selectByteCount = StatementText("SELECT byte_count FROM file_contents WHERE number = ?1")

    /// The rows of a content whose file is complete and durable.
    static func insert(_ content: NewContent, number: Int64, _ connection: Connection) throws(StoreError) {
        let header = content.header
        try connection.run(
            insertVaultContent, number, content.byteCount, header.id.bytes, content.key, Int(header.cipher.rawValue),
            header.chunkBytes, content.generation, content.chunksSealed)
        for run in content.runs {
            try ChunkRunRows.insert(run, of: number, connection)
        }
    }

    /// What a write has made of a content that no copy shares.
    static func rewrite(_ content: RewrittenContent, _ connection: Connection) throws(StoreError) {
        try connection.run(
            updateVaultContent, content.number, content.byteCount, content.generation, content.chunksSealed)
        for run in content.removedRuns {
            try ChunkRunRows.delete(run, of: content.number, connection)
        }
        for run in content.insertedRuns {
            try ChunkRunRows.insert(run, of: content.number, connection)
        }
        for slots in content.freedSlots {
            try FreedSlotRows.insert(slots, of: content.number, connection)
        }
    }

    /// - Throws: `.invalidArgument` for more than a content in the database may have.
    static func checked(_ bytes: [UInt8]) throws(StoreError) -> [UInt8] {
        guard bytes.count <= EngineLimits.inlineFileBytesMax else {
            throw .invalidArgument("the file has \(bytes.count) bytes; the limit is \(EngineLimits.inlineFileBytesMax)")
        }
        return bytes
    }

    /// All bytes of a content in the database.
    ///
    /// - Throws: `.invalidArgument` for one in the vault.
    static func bytes(of number: Int64, _ connection: Connection) throws(StoreError) -> [UInt8] {
        guard let row = try connection.first(selectContent, number) else { throw missing }
        guard row.isNull(1) else {
            throw .invalidArgument(
                "the file has more than \(EngineLimits.inlineFileBytesMax) bytes; write to it in pieces")
        }
        return row.bytes(0)
    }

    /// - Parameter range: within the content.
    static func bytes(of number: Int64, _ range: Range<UInt64>, _ connection: Connection) throws(StoreError) -> [UInt8]
    {
        guard let row = try connection.first(selectPart, number, range.lowerBound + 1, UInt64(range.count)) else {
            throw missing
        }
        return row.bytes(0)
    }

    /// - Parameters:
    ///   - range: within a content in the database.
    ///   - memory: for as many bytes.
    /// - Returns: how many there were.
    static func copy(
        _ range: Range<UInt64>, of number: Int64, into memory: UnsafeMutableRawBufferPointer, _ connection: Connection
    ) throws(StoreError) -> Int {
        guard let row = try connection.first(selectPart, number, range.lowerBound + 1, UInt64(range.count)) else {
            throw missing
        }
        let bytes = row.borrowedBytes(0)
        let count = min(bytes.count, memory.count)
        memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes.prefix(count)))
        return count
    }

    static func place(
        of number: Int64, _ connection: Connection, heldKey: (ContentID) -> SharedContentKey? = { _ in nil }
    ) throws(StoreError) -> Place {
        guard let row = try connection.first(selectPlace, number) else { throw missing }
        guard !row.isNull(0) else { return .database }
        return .vault(try VaultContent(row, number: number, heldKey: heldKey))
    }

    /// The content of the vault with this id; `nil` where no row has it.
    static func content(_ id: ContentID, _ connection: Connection) throws(StoreError) -> VaultContent? {
        guard let number = try connection.first(selectByID, id.bytes)?.integer(0),
            case .vault(let content) = try place(of: number, connection)
        else { return nil }
        return content
    }

    /// Of its last write, and whether copies share it.
    static func state(
        of number: Int64, _ connection: Connection
    ) throws(StoreError) -> (generation: UInt64, isShared: Bool) {
        guard let row = try connection.first(selectState, number) else { throw missing }
        return (row.unsigned(1), row.integer(0) != 1)
    }

    /// One more file has it.
    static func retain(_ number: Int64, _ connection: Connection) throws(StoreError) {
        try connection.run(addReference, number)
    }

    /// One file less has it; without any it goes.
    ///
    /// - Returns: what has lost its rows but for those of its chunks, which are to be removed, and its file in the
    ///   vault.
    static func release(_ number: Int64, _ connection: Connection) throws(StoreError) -> ContentID? {
        try connection.run(removeReference, number)
        let released = try unreferenced(number, connection)
        try connection.run(deleteUnreferenced, number)
        if released != nil {
            try ReplicaDigestRows.delete(number, connection)
        }
        return released
    }

    private static func unreferenced(_ number: Int64, _ connection: Connection) throws(StoreError) -> ContentID? {
        guard let row = try connection.first(selectUnreferenced, number) else { return nil }
        return ContentID(row.borrowedBytes(0))
    }

    private static var missing: StoreError { .databaseDamaged("the content of a file is missing") }

    private static let insertContent = StatementText(
        "INSERT INTO file_contents (number, reference_count, byte_count, data) VALUES (?1, 1, ?2, ?3)")
    private static let insertVaultContent = StatementText(
        """
        INSERT INTO file_contents
            (number, reference_count, byte_count, id, key, cipher, chunk_bytes, generation, chunks_sealed)
        VALUES (?1, 1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
        """)
    private static let updateVaultContent = StatementText(
        """
        UPDATE OR FAIL file_contents SET byte_count = ?2, generation = ?3, chunks_sealed = chunks_sealed + ?4
        WHERE number = ?1
        """)
    private static let selectContent = StatementText("SELECT data, id FROM file_contents WHERE number = ?1")
    private static let selectPart = StatementText(
        "SELECT substr(data, ?2, ?3) FROM file_contents WHERE number = ?1")
    private static let selectPlace = StatementText(
        """
        SELECT id, key, cipher, chunk_bytes, generation, byte_count, chunks_sealed FROM file_contents WHERE number = ?1
        """)
    private static let selectByID = StatementText("SELECT number FROM file_contents WHERE id = ?1")
    private static let selectState = StatementText(
        "SELECT reference_count, generation FROM file_contents WHERE number = ?1")
    private static let addReference = StatementText(
        "UPDATE OR FAIL file_contents SET reference_count = reference_count + 1 WHERE number = ?1")
    private static let removeReference = StatementText(
        "UPDATE OR FAIL file_contents SET reference_count = reference_count - 1 WHERE number = ?1")
    private static let selectUnreferenced = StatementText(
        "SELECT id FROM file_contents WHERE number = ?1 AND reference_count < 1 AND id IS NOT NULL")
    private static let deleteUnreferenced = StatementText(
        "DELETE FROM file_contents WHERE number = ?1 AND reference_count < 1")
}
