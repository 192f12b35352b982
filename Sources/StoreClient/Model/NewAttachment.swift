/// An attachment to save with a message or draft.
public struct NewAttachment: Hashable, Sendable, Codable {
    /// Where its content comes from.
    public enum Content: Hashable, Sendable, Codable {
        /// The content itself, of any size.
        case bytes([UInt8])
        /// One that some attachment has, or that was written: 64 hexadecimal digits.
        case digest(String)
    }

    /// Where its content comes from.
    public var content: Content
    /// At most 255 bytes; may be empty.
    public var name: String
    /// A type and a subtype without parameters, such as `image/png`.
    public var mimeType: String
    /// At most 16,384 bytes; empty for none.
    public var thumbnail: [UInt8]
    /// Where the application can fetch the content again, at most 2,048 bytes; `nil`: nowhere, and the store keeps it.
    public var source: String?

    /// An attachment.
    ///
    /// - Parameters:
    ///   - content: its bytes, or the digest of what was written before.
    ///   - name: at most 255 bytes.
    ///   - mimeType: such as `image/png`.
    ///   - thumbnail: at most 16,384 bytes.
    ///   - source: where the application can fetch the content again.
    public init(
        _ content: Content, name: String = "", mimeType: String = "application/octet-stream",
        thumbnail: [UInt8] = [], source: String? = nil
    ) {
        self.content = content
        self.name = name
        self.mimeType = mimeType
        self.thumbnail = thumbnail
        self.source = source
    }
}

/// Whose attachments are listed.
public enum AttachmentOwner: Hashable, Sendable {
    /// Those of a message, in order.
    case message(String)
    /// Those of all messages of a conversation: those of the newest message first, and of one message the last first.
    case conversation(ConversationReference)
}
