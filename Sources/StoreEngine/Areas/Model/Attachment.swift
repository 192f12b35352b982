package import StoreBasics

/// What kind of content a file has: a type and a subtype as RFC 6838 (4.2) has them, without parameters, kept in
/// lower case.
package struct MIMEType: Hashable, Sendable {
    package static let nameBytesMax = 127

    package let text: String

    /// - Throws: `.invalidArgument`.
    package init(_ text: String) throws(StoreError) {
        let names = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard names.count == 2, names.allSatisfy(Self.isName) else {
            throw .invalidArgument("the type of the attachment is not a MIME type such as image/png")
        }
        self.text = text.lowercased()
    }

    /// One that was read back from the store.
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

/// A file that is saved with a message or draft.
package struct NewAttachment: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        case bytes([UInt8], AttachmentDigest)
        /// That of an attachment which is there, or was written before.
        case known(AttachmentDigest)
        /// As an archive lists it: its bytes may be here or not.
        case listed(AttachmentDigest, byteCount: UInt64)
    }

    let content: Content
    package let name: String
    package let mimeType: MIMEType
    /// Empty: none.
    package let thumbnail: [UInt8]
    /// Where the application can fetch the content again; `nil`: nowhere, and it is kept.
    package let source: String?
    /// Fields of a later version, in the form of `TaggedFields.unknown`.
    package let unknownFields: [UInt8]

    /// - Parameters:
    ///   - name: empty: none.
    ///   - source: an empty one stands for none.
    /// - Throws: `.invalidArgument` for what is too long.
    package init(
        _ content: Content, name: String, mimeType: MIMEType, thumbnail: [UInt8] = [], source: String? = nil,
        unknownFields: [UInt8] = []
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

    /// True if it is as another store has it: in an archive or a batch.
    var isListed: Bool {
        if case .listed = content { true } else { false }
    }

    /// 0 where only its digest is known.
    package var byteCount: UInt64 {
        switch content {
        case .bytes(let bytes, _): UInt64(bytes.count)
        case .known: 0
        case .listed(_, let byteCount): byteCount
        }
    }
}

/// An attachment as a reader gets it.
package struct Attachment: Hashable, Sendable {
    package var name: String
    package var mimeType: MIMEType
    package var byteCount: UInt64
    package var digest: AttachmentDigest
    package var source: String?
    package var hasThumbnail: Bool
    /// Whether the content is there to be read: one that can be fetched again may have been evicted.
    package var isStored: Bool

    /// Of its texts.
    var textBytes: Int {
        name.utf8.count + mimeType.text.utf8.count + (source?.utf8.count ?? 0) + AttachmentDigest.byteCount
    }
}

/// Which attachments are wanted.
package struct AttachmentQuery: Hashable, Sendable {
    package enum Owner: Hashable, Sendable {
        case message(EntityID)
        case conversation(ConversationReference)
    }

    package var owner: Owner
    /// Only those whose type begins so.
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

/// An attachment with the message that it is of.
package struct ListedAttachment: Hashable, Sendable {
    package var messageID: EntityID
    /// Among those of its message, from 0.
    package var position: Int
    /// Of its message.
    package var timestamp: Timestamp
    package var attachment: Attachment
    /// Empty where it has none or none was asked for.
    package var thumbnail: [UInt8]
}

package struct AttachmentPage: Sendable {
    package var attachments: [ListedAttachment] = []
    /// `nil` on the last page.
    package var nextCursor: AttachmentCursor?
}

/// A place in the list of attachments.
package struct AttachmentCursor: Hashable, Sendable {
    let message: MessageCursor
    let position: Int64

    init(message: MessageCursor, position: Int64) {
        self.message = message
        self.position = position
    }

    /// - Throws: `.invalidArgument` for anything that `text` of a cursor did not give.
    package init(_ text: String) throws(StoreError) {
        guard let end = text.lastIndex(of: "."), let position = Int64(text[text.index(after: end)...]) else {
            throw .foreignCursor
        }
        message = try MessageCursor(String(text[..<end]))
        self.position = position
    }

    package var text: String { "\(message.text).\(position)" }
}

/// A content of attachments that is to be written in pieces.
package struct AttachmentWriteRequest: Sendable {
    /// Of what will be written, where that is known: neither more nor fewer may come.
    package var byteCount: UInt64?
    /// What its digest has to be.
    package var digest: AttachmentDigest?

    package init(byteCount: UInt64? = nil, digest: AttachmentDigest? = nil) {
        self.byteCount = byteCount
        self.digest = digest
    }
}
