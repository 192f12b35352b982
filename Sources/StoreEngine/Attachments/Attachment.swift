import StoreBasics

/// BLAKE2b-256 of a content's bytes: what a content of attachments is known by.
package struct AttachmentDigest: Hashable, Sendable {
    package static let byteCount = 32

    package let bytes: [UInt8]

    /// - Throws: `.invalidArgument` unless there are 32 bytes.
    package init(_ bytes: [UInt8]) throws(StoreError) {
        guard bytes.count == Self.byteCount else {
            throw .invalidArgument("the digest has \(bytes.count) bytes; BLAKE2b-256 has \(Self.byteCount)")
        }
        self.bytes = bytes
    }

    /// One that was computed or read back from the store.
    init(trusted bytes: [UInt8]) {
        self.bytes = bytes
    }

    package var hexadecimal: String { Hexadecimal.encode(bytes) }
}

/// What kind of content a file has: a type and a subtype as RFC 6838 (4.2) has them, without parameters, kept in
/// lower case.
package struct MIMEType: Hashable, Sendable {
    package static let nameBytesMax = 127

    package let text: String

    /// - Throws: `.invalidArgument`.
    package init(_ text: String) throws(StoreError) {
        let names = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard names.count == 2, names.allSatisfy(Self.isName) else {
            throw .invalidArgument("the type of the attachment is no MIME type; name one such as image/png")
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
    }

    let content: Content
    let name: String
    let mimeType: MIMEType
    /// Empty: none.
    let thumbnail: [UInt8]
    /// Where the application can fetch the content again; `nil`: nowhere, and it is kept.
    let source: String?

    /// - Parameters:
    ///   - name: empty: none.
    ///   - source: an empty one stands for none.
    /// - Throws: `.invalidArgument` for what is too long.
    package init(
        _ content: Content, name: String, mimeType: MIMEType, thumbnail: [UInt8] = [], source: String? = nil
    ) throws(StoreError) {
        try Self.check(name.utf8.count, "name", EngineLimits.attachmentNameBytesMax)
        try Self.check(thumbnail.count, "thumbnail", EngineLimits.attachmentThumbnailBytesMax)
        try Self.check(source?.utf8.count ?? 0, "source", EngineLimits.attachmentSourceBytesMax)
        if case .bytes(let bytes, _) = content {
            try Self.check(bytes.count, "content", EngineLimits.inlineFileBytesMax)
        }
        self.content = content
        self.name = name
        self.mimeType = mimeType
        self.thumbnail = thumbnail
        self.source = source?.nilIfEmpty
    }

    private static func check(_ count: Int, _ title: String, _ bytesMax: Int) throws(StoreError) {
        guard count <= bytesMax else {
            throw .invalidArgument("the \(title) of the attachment has \(count) bytes; the most is \(bytesMax)")
        }
    }

    var digest: AttachmentDigest {
        switch content {
        case .bytes(_, let digest), .known(let digest): digest
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

/// A part of an attachment's content.
package struct AttachmentPart: Sendable {
    package var attachment: Attachment
    /// Fewer than asked for at the end, and where these were too many.
    package var bytes: [UInt8]
}
