/// What a message or draft has attached to it.
public struct Attachment: Hashable, Sendable, Codable {
    /// Empty where it has none.
    public var name: String
    /// What its content is, such as `image/png`; in lower case.
    public var mimeType: String
    /// Of its content.
    public var contentBytes: UInt64
    /// BLAKE2b-256 of its content: 64 hexadecimal digits.
    public var digest: String
    /// Where the application can fetch the content again; `nil`: nowhere, and the store keeps it.
    public var source: String?
    /// Whether a list of attachments can have a thumbnail of it.
    public var hasThumbnail: Bool
    /// Whether the content can be read.
    public var isStored: Bool

    /// For tests and previews: the calls of a client make their own.
    public init(
        name: String, mimeType: String, contentBytes: UInt64, digest: String, source: String? = nil,
        hasThumbnail: Bool = false, isStored: Bool = true
    ) {
        self.name = name
        self.mimeType = mimeType
        self.contentBytes = contentBytes
        self.digest = digest
        self.source = source
        self.hasThumbnail = hasThumbnail
        self.isStored = isStored
    }
}

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

/// An attachment with the message that it is of.
public struct ListedAttachment: Hashable, Sendable, Codable {
    /// The message's.
    public var messageID: String
    /// Among those of its message, from 0.
    public var position: Int
    /// Of its message.
    public var timestamp: Timestamp
    /// What is attached.
    public var attachment: Attachment
    /// Empty where it has none, or none was asked for.
    public var thumbnail: [UInt8]

    /// For tests and previews: the calls of a client make their own.
    public init(
        messageID: String, position: Int, timestamp: Timestamp, attachment: Attachment, thumbnail: [UInt8] = []
    ) {
        self.messageID = messageID
        self.position = position
        self.timestamp = timestamp
        self.attachment = attachment
        self.thumbnail = thumbnail
    }
}

/// Whose attachments are listed.
public enum AttachmentOwner: Hashable, Sendable {
    /// Those of a message, in order.
    case message(String)
    /// Those of all messages of a conversation: those of the newest message first, and of one message the last first.
    case conversation(ConversationReference)
}

/// A page of attachments.
public struct AttachmentPage: ListPage, CursorPage, Codable {
    /// At most as many as were asked for; fewer where they are large, and maybe none where many were passed over.
    public var attachments: [ListedAttachment]
    /// Where the next page starts; `nil` on the last one.
    public var nextCursor: String?

    /// For tests and previews: the calls of a client make their own.
    public init(attachments: [ListedAttachment], nextCursor: String? = nil) {
        self.attachments = attachments
        self.nextCursor = nextCursor
    }

    /// `attachments`.
    public var elements: [ListedAttachment] { attachments }
}

/// How much the contents of attachments are.
public struct AttachmentUsage: Hashable, Sendable, Codable {
    /// Those that attachments have, or that were written for some.
    public var contentCount: Int
    /// Of all of them.
    public var contentBytes: UInt64
    /// Those whose bytes are in the store.
    public var storedCount: Int
    /// Of these.
    public var storedBytes: UInt64
    /// Of those of these whose attachments all have a source: they make room for others.
    public var evictableBytes: UInt64
    /// What these may be; 0: no bound.
    public var evictableBytesMax: UInt64

    /// For tests and previews: the calls of a client make their own.
    public init(
        contentCount: Int, contentBytes: UInt64, storedCount: Int, storedBytes: UInt64, evictableBytes: UInt64,
        evictableBytesMax: UInt64
    ) {
        self.contentCount = contentCount
        self.contentBytes = contentBytes
        self.storedCount = storedCount
        self.storedBytes = storedBytes
        self.evictableBytes = evictableBytes
        self.evictableBytesMax = evictableBytesMax
    }
}

/// A part of an attachment's content.
public struct AttachmentPiece: Hashable, Sendable {
    /// What was read; empty at the end of the content.
    public var bytes: [UInt8]
    /// The attachment as it was then.
    public var attachment: Attachment
}
