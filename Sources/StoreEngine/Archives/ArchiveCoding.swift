/// How records of an archive are bytes: the engine frames, seals and counts them, and leaves their form to whoever
/// asks.
package protocol ArchiveCoding: Sendable {
    func encode(_ entry: ArchiveEntry) -> [UInt8]
    /// - Throws: `.invalidArgument` for bytes that `encode` cannot have given.
    func decode(_ bytes: ArraySlice<UInt8>) throws(StoreError) -> ArchiveEntry
}

/// Bounds of archives.
package enum ArchiveLimits {
    /// Bytes of any record: the largest avatar or message of a log, with what is beside it.
    package static let recordBytesMax = 16 << 20
    /// Bytes of a piece of a file's content.
    package static let filePieceBytesMax = 256 << 10
    /// Bytes of records after which a read from the database ends.
    static let pageBytes = 256 << 10
    /// Records, and bytes of them, that a restore saves at once.
    static let batchRecordsMax = 256
    static let batchBytesMax = 1 << 20
}
