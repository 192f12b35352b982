import SQLCipher
import StoreBasics
import StoreCrypto

/// The contents of files. Copies of a file share one content. A small content is stored in the database and never
/// changes: a write creates another content. A larger content is stored in a file of the vault; a write changes parts
/// of it if no copy shares it.
enum FileContents {
    enum Place {
        case database
        case vault(VaultContent)
    }

    /// Inserts a content that is stored in the database.
    ///
    /// - Parameter number: a number that no content has had yet, usually the revision of the change that creates the
    ///   content.
    static func insert(_ bytes: [UInt8], number: Int64, _ connection: Connection) throws(StoreError) {
        try connection.run(insertContent, number, bytes.count, bytes)
    }

    /// - Throws: `.databaseDamaged` if no content has this number.
    static func byteCount(of number: Int64, _ connection: Connection) throws(StoreError) -> UInt64 {
        guard let row = try connection.first(selectByteCount, number) else {
            throw .databaseDamaged("a file or an attachment refers to content that does not exist")
        }
        return UInt64(try row.count(0))
    }

    private static let selectByteCount = StatementText("SELECT byte_count FROM file_contents WHERE number = ?1")

    /// Inserts the rows of a content whose vault file is complete and durable.
    static func insert(_ content: NewContent, number: Int64, _ connection: Connection) throws(StoreError) {
        let header = content.header
        try connection.run(
            insertVaultContent, number, content.byteCount, header.id.bytes, content.key, Int(header.cipher.rawValue),
            header.chunkBytes, content.generation, content.chunksSealed)
        for run in content.runs {
            try ChunkRunRows.insert(run, of: number, connection)
        }
    }

    /// Updates the rows of an unshared content after a write to it.
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

    /// Returns `bytes` unchanged.
    ///
    /// - Throws: `.invalidArgument` if there are more bytes than a content in the database may have.
    static func checked(_ bytes: [UInt8]) throws(StoreError) -> [UInt8] {
        guard bytes.count <= EngineLimits.inlineFileBytesMax else {
            throw .invalidArgument(
                """
                the file would have \(bytes.count) bytes, but this call writes files of at most \
                \(EngineLimits.inlineFileBytesMax); write the file in pieces
                """)
        }
        return bytes
    }

    /// Returns all bytes of a content in the database.
    ///
    /// - Throws: `.invalidArgument` if the content is in the vault.
    static func bytes(of number: Int64, _ connection: Connection) throws(StoreError) -> [UInt8] {
        guard let row = try connection.first(selectContent, number) else { throw missing }
        guard row.isNull(1) else {
            throw .invalidArgument(
                "the file has more than \(EngineLimits.inlineFileBytesMax) bytes; write to it in pieces")
        }
        return row.bytes(0)
    }

    /// Returns a part of a content in the database.
    ///
    /// - Parameter range: within the content.
    static func bytes(of number: Int64, _ range: Range<UInt64>, _ connection: Connection) throws(StoreError) -> [UInt8]
    {
        guard let row = try connection.first(selectPart, number, range.lowerBound + 1, UInt64(range.count)) else {
            throw missing
        }
        return row.bytes(0)
    }

    /// Copies a part of a content in the database.
    ///
    /// - Parameters:
    ///   - range: within the content.
    ///   - memory: has room for all bytes of the range.
    /// - Returns: the number of copied bytes.
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

    /// Returns the content in the vault with this id; `nil` if no row has it.
    static func content(_ id: ContentID, _ connection: Connection) throws(StoreError) -> VaultContent? {
        guard let number = try connection.first(selectByID, id.bytes)?.integer(0),
            case .vault(let content) = try place(of: number, connection)
        else { return nil }
        return content
    }

    /// Returns the generation of the content's last write, and whether several files share the content.
    static func state(
        of number: Int64, _ connection: Connection
    ) throws(StoreError) -> (generation: UInt64, isShared: Bool) {
        guard let row = try connection.first(selectState, number) else { throw missing }
        return (row.unsigned(1), row.integer(0) != 1)
    }

    static func retain(_ number: Int64, _ connection: Connection) throws(StoreError) {
        try connection.run(addReference, number)
    }

    /// Removes a reference to a content and deletes the content if no reference is left.
    ///
    /// - Returns: the id of a deleted content in the vault. The caller must delete its chunk rows and its vault file.
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
