/// The encoding of an archive's records. The engine frames, seals and counts records. The engine's caller defines how a
/// record is encoded.
package protocol ArchiveCoding: Sendable {
    func encode(_ entry: ArchiveEntry) -> [UInt8]
    /// - Throws: `.invalidArgument` for bytes that `encode` cannot have returned.
    func decode(_ bytes: ArraySlice<UInt8>) throws(StoreError) -> ArchiveEntry
}

/// The size limits of records and their pieces, and of the batches in which a restore saves records.
package enum ArchiveLimits {
    /// The most bytes of a record: the largest avatar or log entry, with the other fields.
    package static let recordBytesMax = 16 << 20
    /// The most bytes in one piece of a file's content.
    package static let filePieceBytesMax = 256 << 10
    /// The number of bytes of records after which an export ends one read from the database.
    static let pageBytes = 256 << 10
    /// The most records that a restore saves in one batch. Each attachment counts as a record.
    static let batchRecordsMax = 256
    /// The most contents whose grace period a restore ends when it finishes. The grace period of further contents ends
    /// when its time has passed.
    static let contentsEndingGraceMax = 65_536
    static let batchBytesMax = 1 << 20
}
