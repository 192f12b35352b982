/// Every bound of the frame layer, in one place.
package enum FrameLimits {
    /// Bytes of the length before each payload: an unsigned 32-bit integer, most significant byte first.
    package static let headerBytes = 4
    /// A payload has at least one byte: an empty one cannot name a call.
    package static let payloadBytesMin = 1
    /// Bytes of the largest payload when nothing else is configured.
    package static let payloadBytesMaxDefault = 16 << 20
    /// Bytes of the largest payload that can be configured. A client believes no daemon that tells more.
    package static let payloadBytesMaxHighest = 64 << 20
    /// How deep messages may be nested in messages; v1 itself needs four.
    package static let messageDepthMax = 16
    /// Most bytes of data in one chunk of a backup.
    package static let backupChunkBytesMax = 1 << 20
    /// Most bytes of a file in one answer.
    package static let filePieceBytesMax = 1 << 20
    /// Bytes of the pieces that are quickest, at multiples of it: whole chunks of the vault, and with its frame a piece
    /// takes no more than a mebibyte. Buffers come in powers of two.
    package static let filePieceBytes = 15 << 16
}
