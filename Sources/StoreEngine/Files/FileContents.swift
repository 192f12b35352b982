import SQLCipher

/// The contents of files, things of their own that copies of a file share. A content never changes: what is written
/// makes another.
enum FileContents {
    /// - Parameter number: the revision of the change that makes it.
    static func insert(_ bytes: [UInt8], number: Int64, _ connection: Connection) throws(StoreError) {
        try connection.run(insertContent, number, bytes.count, bytes)
    }

    /// - Throws: `.invalidArgument` for more than a content may have.
    static func checked(_ bytes: [UInt8]) throws(StoreError) -> [UInt8] {
        guard bytes.count <= EngineLimits.inlineFileBytesMax else {
            throw .invalidArgument("the file has \(bytes.count) bytes; the most is \(EngineLimits.inlineFileBytesMax)")
        }
        return bytes
    }

    static func bytes(of number: Int64, _ connection: Connection) throws(StoreError) -> [UInt8] {
        guard let row = try connection.first(selectContent, number) else { throw missing }
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

    /// One more file has it.
    static func retain(_ number: Int64, _ connection: Connection) throws(StoreError) {
        try connection.run(addReference, number)
    }

    /// One file less has it; without any it goes.
    static func release(_ number: Int64, _ connection: Connection) throws(StoreError) {
        try connection.run(removeReference, number)
        try connection.run(deleteUnreferenced, number)
    }

    private static var missing: StoreError { .databaseDamaged("a file lacks its content") }

    private static let insertContent = StatementText(
        "INSERT INTO file_contents (number, reference_count, byte_count, data) VALUES (?1, 1, ?2, ?3)")
    private static let selectContent = StatementText("SELECT data FROM file_contents WHERE number = ?1")
    private static let selectPart = StatementText(
        "SELECT substr(data, ?2, ?3) FROM file_contents WHERE number = ?1")
    private static let addReference = StatementText(
        "UPDATE file_contents SET reference_count = reference_count + 1 WHERE number = ?1")
    private static let removeReference = StatementText(
        "UPDATE file_contents SET reference_count = reference_count - 1 WHERE number = ?1")
    private static let deleteUnreferenced = StatementText(
        "DELETE FROM file_contents WHERE number = ?1 AND reference_count < 1")
}
