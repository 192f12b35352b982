/// One message of a blob file.
package struct BlobMessage: Hashable, Sendable {
    package var text: String
    package var isSent: Bool
    package var type: BlobMessageType
    /// Milliseconds since 1970-01-01 UTC.
    package var timestampMilliseconds: Int64

    package init(text: String, isSent: Bool, type: BlobMessageType, timestampMilliseconds: Int64) {
        self.text = text
        self.isSent = isSent
        self.type = type
        self.timestampMilliseconds = timestampMilliseconds
    }

    /// Bytes this message takes in a file.
    package var byteCount: Int {
        BlobLayout.messageBytesMin + text.utf8.count
    }
}

/// A message and where in its file it begins.
package struct LocatedBlobMessage: Hashable, Sendable {
    package var message: BlobMessage
    /// Bytes from the start of the file to the message's text length.
    package var offset: UInt64
}

/// The layout of a blob file (proto-docs/BLOBS.md). All numbers are little-endian:
///
///     i32 count
///     per message: i32 text length, text in UTF-8, u8 is-sent (0 or 1), u8 type, i64 timestamp in milliseconds
package enum BlobLayout {
    /// Bytes of the count, and of a text length.
    package static let countBytes = 4
    /// Bytes after a text: is-sent, type and timestamp.
    static let tailBytes = 1 + 1 + 8
    /// Bytes of a message with an empty text.
    package static let messageBytesMin = countBytes + tailBytes
    /// Most messages a file can hold.
    package static let messagesMax = Int(Int32.max)
    /// Most bytes of a text that a decoder takes unless told otherwise: what the store takes.
    package static let textBytesMax = 1 << 20
}
