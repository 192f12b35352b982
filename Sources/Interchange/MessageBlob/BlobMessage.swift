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

    /// The size of this message in a file.
    package var byteCount: Int {
        BlobLayout.messageBytesMin + text.utf8.count
    }
}

package struct LocatedBlobMessage: Hashable, Sendable {
    package var message: BlobMessage
    /// The offset of the message's text length from the start of the file.
    package var offset: UInt64
}

/// The layout of a blob file (proto-docs/BLOBS.md). All numbers are little-endian:
///
///     i32 count
///     per message: i32 text length, text in UTF-8, u8 is-sent (0 or 1), u8 type, i64 timestamp in milliseconds
package enum BlobLayout {
    /// The size of the count, and of a text length.
    package static let countBytes = 4
    /// The size of the fields after a text: is-sent, type and timestamp.
    static let tailBytes = 1 + 1 + 8
    /// The size of a message with an empty text.
    package static let messageBytesMin = countBytes + tailBytes
    /// The most messages of a file, because the count is a signed number of 32 bits.
    package static let messagesMax = Int(Int32.max)
    /// The most bytes of a text that a decoder accepts by default, equal to the store's limit.
    package static let textBytesMax = 1 << 20
}

/// The type of a message in a blob file. The raw value is its ordinal in the file.
package enum BlobMessageType: UInt8, Hashable, Sendable, CaseIterable {
    /// A text of fewer than `longTextCharactersMin` characters.
    case short = 0
    /// A text of `longTextCharactersMin` characters or more.
    case long = 1
    case image = 2
    case video = 3

    /// The number of characters (`Character`, as in `String.count`) from which a text is long.
    package static let longTextCharactersMin = 1_024

    /// Creates a type from an ordinal in a file. Unknown ordinals are treated as short messages.
    package init(ordinal: UInt8) {
        self = Self(rawValue: ordinal) ?? .short
    }

    /// Creates the type of a message that consists only of `text`.
    package init(ofText text: String) {
        // A character has at least one byte, so a text with few bytes is short. In other texts, only the first
        // `longTextCharactersMin` characters are counted.
        guard text.utf8.count >= Self.longTextCharactersMin else {
            self = .short
            return
        }
        let last = text.index(text.startIndex, offsetBy: Self.longTextCharactersMin, limitedBy: text.endIndex)
        self = last == nil ? .short : .long
    }
}

/// Conversion between the types of messages in a file and in the store. In the store, the attachment type or the text
/// of a message determines its type.
extension BlobMessageType {
    private static let shortText = "text/short"
    private static let longText = "text/long"

    /// Creates the type of a message in the store.
    ///
    /// - Parameter attachmentType: `image` and `video`, alone or as the first part of a media type, give the type of
    ///   the same name. `text/short` and `text/long` are values of `attachmentType(forText:)`. For other values and for
    ///   `nil`, the text determines the type.
    package init(text: String, attachmentType: String?) {
        switch attachmentType {
        case Self.shortText: self = .short
        case Self.longText: self = .long
        case let type? where Self.is(type, "image"): self = .image
        case let type? where Self.is(type, "video"): self = .video
        default: self = BlobMessageType(ofText: text)
        }
    }

    /// Returns the attachment type with which the store saves a message, so that an export restores the type; `nil` if
    /// the text alone determines the type.
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
