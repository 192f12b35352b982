import Interchange
public import StoreClient

/// A message as the binary message file holds it.
public struct BlobMessage: Hashable, Sendable {
    /// Text of at most 1 MiB of UTF-8, or what stands for an image or a video.
    public let text: String
    /// Sent by this side; else received.
    public let isSent: Bool
    /// What the message is.
    public let messageType: MessageType
    /// Milliseconds since 1970-01-01 UTC.
    public let timestamp: Int64

    /// A message of any type.
    ///
    /// - Parameters:
    ///   - text: at most 1 MiB of UTF-8.
    ///   - isSent: sent by this side; else received.
    ///   - messageType: what the message is; for a text see ``init(text:isSent:timestamp:)``.
    ///   - timestamp: milliseconds since 1970-01-01 UTC; now, unless given.
    public init(
        text: String, isSent: Bool, messageType: MessageType,
        timestamp: Int64 = Timestamp.now.microseconds / 1_000
    ) {
        self.text = text
        self.isSent = isSent
        self.messageType = messageType
        self.timestamp = timestamp
    }

    /// A text, short or long by its length.
    ///
    /// - Parameters:
    ///   - text: at most 1 MiB of UTF-8.
    ///   - isSent: sent by this side; else received.
    ///   - timestamp: milliseconds since 1970-01-01 UTC; now, unless given.
    public init(text: String, isSent: Bool, timestamp: Int64 = Timestamp.now.microseconds / 1_000) {
        self.init(text: text, isSent: isSent, messageType: MessageType(ofText: text), timestamp: timestamp)
    }

    /// A message of the store: its time loses what is below the millisecond.
    init(_ message: Message) {
        let (milliseconds, rest) = message.timestamp.microseconds.quotientAndRemainder(dividingBy: 1_000)
        self.init(
            text: message.text, isSent: message.isOutgoing,
            messageType: MessageType(BlobMessageType(text: message.text, attachmentType: message.attachmentType)),
            timestamp: rest < 0 ? milliseconds - 1 : milliseconds)
    }

    /// This message as the store keeps it, and as the import of a message file would: as read, since it is history and
    /// not news.
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
            // A time of 0 means now to the daemon, and is lost below the millisecond.
            timestamp: Timestamp(microseconds: microseconds == 0 ? 1 : microseconds),
            status: isSent ? .sent : .delivered, isOutgoing: isSent, isRead: true,
            attachmentType: messageType.inFile.attachmentType(forText: text))
    }
}

/// What a message is. The raw value is its ordinal in the file.
public enum MessageType: UInt8, Hashable, Sendable, CaseIterable {
    /// A text of fewer than 1,024 characters.
    case shortMessage = 0
    /// A text of 1,024 characters or more.
    case longMessage = 1
    /// An image.
    case image = 2
    /// A video.
    case video = 3

    /// What a message is that is nothing but text.
    ///
    /// - Parameter text: counted in characters.
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
