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
    /// same when it comes back; nil where the text alone tells.
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
