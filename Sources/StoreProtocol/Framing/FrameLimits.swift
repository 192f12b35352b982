/// The limits of frames, and of the messages and data that they contain.
package enum FrameLimits {
    /// The size of the length before each payload: an unsigned 32-bit integer, most significant byte first.
    package static let headerBytes = 4
    /// The least bytes of a payload. An empty payload cannot contain a call.
    package static let payloadBytesMin = 1
    /// The most bytes of a payload by default.
    package static let payloadBytesMaxDefault = 16 << 20
    /// The highest limit that can be configured for payloads. A client ignores a greater limit that a daemon reports.
    package static let payloadBytesMaxHighest = 64 << 20
    /// The deepest nesting of messages in messages; v1 itself needs four levels.
    package static let messageDepthMax = 16
    /// The most bytes of data in one chunk of a backup.
    package static let backupChunkBytesMax = 1 << 20
    /// The most bytes of a file in one answer.
    package static let filePieceBytesMax = 1 << 20
    /// The size and alignment with which pieces of files are transferred fastest. Such a piece consists of whole chunks
    /// of the vault. With its frame it is no larger than one MiB, which matters because buffers have sizes of powers of
    /// two.
    package static let filePieceBytes = 15 << 16
}
