import StoreProtocol

/// Limits of requests and answers.
extension StoreClient {
    /// The largest number of messages, IDs or changes in one request. A request is done completely or not at all, and
    /// no other write comes between its entries. With more entries, other writes would have to wait noticeably.
    public static let entriesPerRequestMax = 256
    /// The largest number of bytes in a piece of an archive, in both directions.
    public static let archivePieceBytesMax = 1 << 20
    /// The largest number of bytes in a piece of a message file, in both directions.
    public static let blobPieceBytesMax = 1 << 20
    /// The largest number of bytes in a chunk of `readBackup` and `writeBackup`.
    public static let backupChunkBytesMax = FrameLimits.backupChunkBytesMax
    /// The largest number of bytes of a file in one answer.
    public static let filePieceBytesMax = FrameLimits.filePieceBytesMax
    /// The size in bytes of the pieces in which a large file is read and written fastest.
    public static let filePieceBytes = FrameLimits.filePieceBytes
    /// The largest number of bytes in a file that is written in one call.
    static let wholeFileBytesMax = 64 << 10
    /// The largest number of bytes of contents, thumbnails and metadata of attachments in a request to save messages.
    /// Further contents are written before the request.
    static let inlineAttachmentBytesMax = 1 << 20
}
