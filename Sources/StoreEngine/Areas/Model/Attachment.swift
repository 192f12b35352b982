package import StoreBasics

/// A media type: a type and a subtype as in RFC 6838, section 4.2, without parameters, in lower case.
package struct MIMEType: Hashable, Sendable {
    package static let nameBytesMax = 127

    package let text: String

    /// Converts the text to lower case.
    ///
    /// - Throws: `.invalidArgument` if the text is not a type and a subtype, or has parameters.
    package init(_ text: String) throws(StoreError) {
        let names = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard names.count == 2, names.allSatisfy(Self.isName) else {
            throw .invalidArgument("the type of the attachment is not a MIME type such as image/png")
        }
        self.text = text.lowercased()
    }

    /// Creates a type from a text that was read from the store.
    init(trusted text: String) {
        self.text = text
    }

    private static func isName(_ name: Substring.UTF8View) -> Bool {
        guard let first = name.first, name.count <= nameBytesMax, isLetterOrDigit(first) else { return false }
        return name.allSatisfy { isLetterOrDigit($0) || "!#$&-^_.+".utf8.contains($0) }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}

/// An attachment to save with a message or a draft.
package struct NewAttachment: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        case bytes([UInt8], AttachmentDigest)
        /// The content of an existing attachment, or a content that was written before.
        case known(AttachmentDigest)
        /// A content as an archive lists it. The store may lack its bytes.
        case listed(AttachmentDigest, byteCount: UInt64)
    }

    let content: Content
    package let name: String
    package let mimeType: MIMEType
    /// The thumbnail; empty for none.
    package let thumbnail: [UInt8]
    /// The place from which the application can fetch the content again; `nil` for none. A content is never evicted if
    /// one of its attachments has no source.
    package let source: String?
    /// `nil` for none.
    package let metadata: Metadata?
    /// Fields of a later version, in the form of `TaggedFields.unknown`.
    package let unknownFields: [UInt8]

    /// - Parameters:
    ///   - name: Empty for none.
    ///   - source: Empty counts as none.
    ///   - metadata: Metadata without data count as none.
    /// - Throws: `.invalidArgument` for a value that is too long.
    package init(
        _ content: Content, name: String, mimeType: MIMEType, thumbnail: [UInt8] = [], source: String? = nil,
        metadata: Metadata? = nil, unknownFields: [UInt8] = []
    ) throws(StoreError) {
        try Self.check(name.utf8.count, "name", EngineLimits.attachmentNameBytesMax)
        try Self.check(thumbnail.count, "thumbnail", EngineLimits.attachmentThumbnailBytesMax)
        try Self.check(source?.utf8.count ?? 0, "source", EngineLimits.attachmentSourceBytesMax)
        switch content {
        case .bytes(let bytes, _):
            try Self.check(bytes.count, "content", EngineLimits.inlineFileBytesMax)
        case .listed(_, let byteCount):
            guard byteCount <= EngineLimits.fileBytesMax else {
                throw .invalidArgument(
                    """
                    the announced size of the attachment is \(byteCount) bytes; the limit is \
                    \(EngineLimits.fileBytesMax)
                    """
                )
            }
        case .known: break
        }
        self.content = content
        self.name = name
        self.mimeType = mimeType
        self.thumbnail = thumbnail
        self.source = source?.nilIfEmpty
        self.metadata = metadata?.ifSet
        self.unknownFields = unknownFields
    }

    private static func check(_ count: Int, _ title: String, _ bytesMax: Int) throws(StoreError) {
        guard count <= bytesMax else {
            throw .invalidArgument("the \(title) of the attachment has \(count) bytes; the limit is \(bytesMax)")
        }
    }

    package var digest: AttachmentDigest {
        switch content {
        case .bytes(_, let digest), .known(let digest), .listed(let digest, _): digest
        }
    }

    /// True if the attachment comes from another store, in an archive or a batch.
    var isListed: Bool {
        if case .listed = content { true } else { false }
    }

    /// The number of bytes of the content; 0 if only its digest is known.
    package var byteCount: UInt64 {
        switch content {
        case .bytes(let bytes, _): UInt64(bytes.count)
        case .known: 0
        case .listed(_, let byteCount): byteCount
        }
    }
}

/// An attachment as readers get it.
package struct Attachment: Hashable, Sendable {
    package var name: String
    package var mimeType: MIMEType
    package var byteCount: UInt64
    package var digest: AttachmentDigest
    package var source: String?
    package var hasThumbnail: Bool
    /// True if the content can be read; false if it was evicted, or was never in this store.
    package var isStored: Bool
    package var metadata: Metadata?

    /// The number of bytes of the attachment's texts, digest and metadata.
    var byteCountInList: Int {
        name.utf8.count + mimeType.text.utf8.count + (source?.utf8.count ?? 0) + AttachmentDigest.byteCount
            + (metadata?.bytes.count ?? 0)
    }
}

/// A query for the attachments of a message, or of all messages of a conversation.
package struct AttachmentQuery: Hashable, Sendable {
    package enum Owner: Hashable, Sendable {
        case message(EntityID)
        case conversation(ConversationReference)
    }

    package var owner: Owner
    /// The beginning of the media types to return, such as `image/`; empty for all types.
    package var mimeTypePrefix: String
    package var withThumbnails: Bool
    package var limit: Int
    package var cursor: AttachmentCursor?

    package init(
        of owner: Owner, mimeTypePrefix: String = "", withThumbnails: Bool = false,
        limit: Int = EngineLimits.pageRowsDefault, cursor: AttachmentCursor? = nil
    ) {
        self.owner = owner
        self.mimeTypePrefix = mimeTypePrefix.lowercased()
        self.withThumbnails = withThumbnails
        self.limit = limit
        self.cursor = cursor
    }
}

/// An attachment as an element of a list, with the id and the timestamp of its message.
package struct ListedAttachment: Hashable, Sendable {
    package var messageID: EntityID
    /// The position among the message's attachments, from 0.
    package var position: Int
    /// The timestamp of the message that has the attachment.
    package var timestamp: Timestamp
    package var attachment: Attachment
    /// The thumbnail; empty without one, or if thumbnails were not requested.
    package var thumbnail: [UInt8]
}

package struct AttachmentPage: Sendable {
    package var attachments: [ListedAttachment] = []
    /// The cursor of the next page; `nil` on the last page.
    package var nextCursor: AttachmentCursor?
}

/// A position in a list of attachments: a message, and a position among the message's attachments.
package struct AttachmentCursor: Hashable, Sendable {
    let message: MessageCursor
    let position: Int64

    init(message: MessageCursor, position: Int64) {
        self.message = message
        self.position = position
    }

    /// - Throws: `.invalidArgument` for a text that is not a cursor.
    package init(_ text: String) throws(StoreError) {
        guard let end = text.lastIndex(of: "."), let position = Int64(text[text.index(after: end)...]) else {
            throw .foreignCursor
        }
        message = try MessageCursor(String(text[..<end]))
        self.position = position
    }

    package var text: String { "\(message.text).\(position)" }
}

/// A request to write a content of attachments in parts.
package struct AttachmentWriteRequest: Sendable {
    /// The exact number of bytes that will be written; `nil` if it is not known.
    package var byteCount: UInt64?
    /// The digest that the content must have; `nil` for any.
    package var digest: AttachmentDigest?

    package init(byteCount: UInt64? = nil, digest: AttachmentDigest? = nil) {
        self.byteCount = byteCount
        self.digest = digest
    }
}
