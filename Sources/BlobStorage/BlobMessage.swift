import Interchange
public import StoreClient

/// A message with the fields that a binary message file contains.
public struct BlobMessage: Hashable, Sendable {
    /// The text, at most 1 MiB of UTF-8. A message with an image or a video has a text, too, which stands for the image
    /// or video.
    public let text: String
    /// True if this user sent the message, false if this user received it.
    public let isSent: Bool
    /// The type of the message: a short or long text, an image or a video.
    public let messageType: MessageType
    /// The time in milliseconds since 1970-01-01 UTC.
    public let timestamp: Int64

    /// Creates a message of any type.
    ///
    /// - Parameters:
    ///   - text: at most 1 MiB of UTF-8.
    ///   - isSent: true if this user sent the message.
    ///   - messageType: the type of the message; for a text see ``init(text:isSent:timestamp:)``.
    ///   - timestamp: milliseconds since 1970-01-01 UTC; now by default.
    public init(
        text: String, isSent: Bool, messageType: MessageType,
        timestamp: Int64 = Timestamp.now.microseconds / 1_000
    ) {
        self.text = text
        self.isSent = isSent
        self.messageType = messageType
        self.timestamp = timestamp
    }

    /// Creates a text message, whose type depends on its length.
    ///
    /// - Parameters:
    ///   - text: at most 1 MiB of UTF-8.
    ///   - isSent: true if this user sent the message.
    ///   - timestamp: milliseconds since 1970-01-01 UTC; now by default.
    public init(text: String, isSent: Bool, timestamp: Int64 = Timestamp.now.microseconds / 1_000) {
        self.init(text: text, isSent: isSent, messageType: MessageType(ofText: text), timestamp: timestamp)
    }

    /// Creates the message of a file from a message of the store. The time is rounded down to milliseconds.
    init(_ message: Message) {
        let (milliseconds, rest) = message.timestamp.microseconds.quotientAndRemainder(dividingBy: 1_000)
        self.init(
            text: message.text, isSent: message.isOutgoing,
            messageType: MessageType(BlobMessageType(text: message.text, attachmentType: message.attachmentType)),
            timestamp: rest < 0 ? milliseconds - 1 : milliseconds)
    }

    /// Returns this message in the form of the store, as an import of a message file would save it: marked as read,
    /// because it is not new.
    func saved(as id: String, in sessionID: String) throws(StoreClientError) -> NewMessage {
        guard text.utf8.count <= BlobLayout.textBytesMax else {
            throw StoreClientError(
                code: .invalidArgument, reason: .blobDamaged,
                message: "a text has \(text.utf8.count) bytes; the limit is \(BlobLayout.textBytesMax)")
        }
        let (microseconds, isOverflowing) = timestamp.multipliedReportingOverflow(by: 1_000)
        guard !isOverflowing else {
            throw StoreClientError(
                code: .outOfRange, reason: .blobTimestampOutOfRange,
                message: "a message's time is outside the range that the store supports")
        }
        return NewMessage(
            id: id, conversation: .sessionID(sessionID), text: text, senderSessionID: isSent ? "" : sessionID,
            recipientSessionID: isSent ? sessionID : "",
            // The daemon replaces a time of 0 by the current time. Save 0 as one microsecond, which becomes 0 again
            // when it is rounded down to milliseconds.
            timestamp: Timestamp(microseconds: microseconds == 0 ? 1 : microseconds),
            status: isSent ? .sent : .delivered, isOutgoing: isSent, isRead: true,
            attachmentType: messageType.inFile.attachmentType(forText: text))
    }
}

/// The type of a message. The raw value is the number of the type in a message file.
public enum MessageType: UInt8, Hashable, Sendable, CaseIterable {
    /// A text of fewer than 1,024 characters.
    case shortMessage = 0
    /// A text of 1,024 characters or more.
    case longMessage = 1
    /// An image.
    case image = 2
    /// A video.
    case video = 3

    /// Determines the type of a message that consists only of text.
    ///
    /// - Parameter text: the text, whose characters are counted.
    public init(ofText text: String) {
        self.init(BlobMessageType(ofText: text))
    }

    init(_ type: BlobMessageType) {
        switch type {
        case .short: self = .shortMessage
        case .long: self = .longMessage
        case .image: self = .image
        case .video: self = .video
        }
    }

    var inFile: BlobMessageType {
        switch self {
        case .shortMessage: .short
        case .longMessage: .long
        case .image: .image
        case .video: .video
        }
    }
}
