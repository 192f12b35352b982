import StoreProtocol

/// Bounds of requests and answers.
extension StoreClient {
    /// The most messages, ids or changes of one request. A request is done as a whole or not at all, and no other write
    /// comes between its entries; with more entries, other writes would have to wait noticeably.
    public static let entriesPerRequestMax = 256
    /// The most bytes of a piece of an archive, in both directions.
    public static let archivePieceBytesMax = 1 << 20
    /// The most bytes of a piece of a message file, in both directions.
    public static let blobPieceBytesMax = 1 << 20
    /// The most bytes of a chunk of `readBackup` and `writeBackup`.
    public static let backupChunkBytesMax = FrameLimits.backupChunkBytesMax
    /// The most bytes of a file in one answer.
    public static let filePieceBytesMax = FrameLimits.filePieceBytesMax
    /// The size in bytes of the pieces in which a large file is read and written fastest.
    public static let filePieceBytes = FrameLimits.filePieceBytes
    /// The most bytes of a file that is written in one call.
    static let wholeFileBytesMax = 64 << 10
    /// The most bytes of contents and thumbnails in a request to save messages. Other contents are written before it.
    static let inlineAttachmentBytesMax = 1 << 20
}
