/// An attachment to save with a message or draft.
public struct NewAttachment: Hashable, Sendable, Codable {
    /// The source of an attachment's content.
    public enum Content: Hashable, Sendable, Codable {
        /// The content itself, of any size.
        case bytes([UInt8])
        /// A content that another attachment has or that was written before, by its digest of 64 hexadecimal digits.
        case digest(String)
    }

    /// The content, or its digest.
    public var content: Content
    /// At most 255 bytes; may be empty.
    public var name: String
    /// A type and a subtype without parameters, such as `image/png`.
    public var mimeType: String
    /// At most 16,384 bytes; empty for none.
    public var thumbnail: [UInt8]
    /// The address at which the application can fetch the content again, at most 2,048 bytes; `nil`: there is none, and
    /// the store keeps the content.
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

/// The owner of the attachments to list.
public enum AttachmentOwner: Hashable, Sendable {
    /// A message. Its attachments are listed in order.
    case message(String)
    /// A conversation. The attachments of the newest message come first, and the last attachment of each message first.
    case conversation(ConversationReference)
}
