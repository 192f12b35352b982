internal import Interchange
public import StoreClient

/// A message as the binary message file holds it.
public struct Message: Hashable, Sendable {
    public let text: String
    public let isSent: Bool
    public let messageType: MessageType
    /// Milliseconds since 1970-01-01 UTC.
    public let timestamp: Int64

    /// - Parameter timestamp: now, unless given.
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
    public init(text: String, isSent: Bool, timestamp: Int64 = Timestamp.now.microseconds / 1_000) {
        self.init(text: text, isSent: isSent, messageType: MessageType(ofText: text), timestamp: timestamp)
    }

    init(_ message: BlobMessage) {
        self.init(
            text: message.text, isSent: message.isSent, messageType: MessageType(message.type),
            timestamp: message.timestampMilliseconds)
    }

    var blobMessage: BlobMessage {
        BlobMessage(
            text: text, isSent: isSent, type: messageType.blobType, timestampMilliseconds: timestamp)
    }
}

/// What a message is. The raw value is its ordinal in the file.
public enum MessageType: UInt8, Hashable, Sendable, CaseIterable {
    /// A text of fewer than 1,024 characters.
    case shortMessage = 0
    /// A text of 1,024 characters or more.
    case longMessage = 1
    case image = 2
    case video = 3

    /// What a message is that is nothing but `text`.
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

    var blobType: BlobMessageType {
        switch self {
        case .shortMessage: .short
        case .longMessage: .long
        case .image: .image
        case .video: .video
        }
    }
}
