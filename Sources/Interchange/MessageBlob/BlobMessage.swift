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

/// What a message of a blob file is. The raw value is its ordinal in the file.
package enum BlobMessageType: UInt8, Hashable, Sendable, CaseIterable {
    /// A text of fewer than `longTextCharactersMin` characters.
    case short = 0
    /// A text of `longTextCharactersMin` characters or more.
    case long = 1
    case image = 2
    case video = 3

    /// From how many characters (`Character`, as `String.count` has them) a text is a long one.
    package static let longTextCharactersMin = 1_024

    /// An ordinal as read from a file: one that is not known is taken for a short message.
    package init(ordinal: UInt8) {
        self = Self(rawValue: ordinal) ?? .short
    }

    /// The type of a message that is nothing but `text`.
    package init(ofText text: String) {
        // A character has at least one byte, and only as many are looked at as decide.
        guard text.utf8.count >= Self.longTextCharactersMin else {
            self = .short
            return
        }
        let last = text.index(text.startIndex, offsetBy: Self.longTextCharactersMin, limitedBy: text.endIndex)
        self = last == nil ? .short : .long
    }
}

/// How a message kept by the store shows its type in a blob file: by its attachment type, else by its text.
extension BlobMessageType {
    private static let shortText = "text/short"
    private static let longText = "text/long"

    /// The type of a message of the store.
    ///
    /// - Parameter attachmentType: `image` and `video`, also as the first part of a media type, are what they say;
    ///   `text/short` and `text/long` are what `attachmentType(forText:)` gave; anything else leaves it to the text.
    package init(text: String, attachmentType: String?) {
        switch attachmentType {
        case Self.shortText: self = .short
        case Self.longText: self = .long
        case let type? where Self.is(type, "image"): self = .image
        case let type? where Self.is(type, "video"): self = .video
        default: self = BlobMessageType(ofText: text)
        }
    }

    /// The attachment type under which the store keeps a message of this type with this text, so that its type is the
    /// same when it comes back; `nil` where the text alone tells.
    package func attachmentType(forText text: String) -> String? {
        switch self {
        case .image: "image"
        case .video: "video"
        case .short: BlobMessageType(ofText: text) == .short ? nil : Self.shortText
        case .long: BlobMessageType(ofText: text) == .long ? nil : Self.longText
        }
    }

    private static func `is`(_ type: String, _ kind: String) -> Bool {
        type == kind || type.utf8.starts(with: "\(kind)/".utf8)
    }
}
