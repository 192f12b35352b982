/// How far a message has come.
public enum MessageStatus: Int, Hashable, Sendable, CaseIterable {
    case pending = 0
    case sent = 1
    case delivered = 2
    case failed = 3
}

/// A message as the store has it.
public struct Message: Hashable, Sendable {
    public var id: String
    public var conversationID: String
    public var text: String
    public var senderSessionID: String
    public var recipientSessionID: String
    public var timestamp: Timestamp
    public var status: MessageStatus
    public var isOutgoing: Bool
    public var isRead: Bool
    public var attachmentURL: String?
    public var attachmentType: String?
    public var replyToMessageID: String?
    public var createdAt: Timestamp
    public var editedAt: Timestamp?
}

/// A message to save. Saving an id that exists replaces its fields (`createdAt` and `editedAt` are kept).
public struct NewMessage: Hashable, Sendable {
    /// Made here, on the client, so that a retry can never save the message twice.
    public var id: String
    /// A session id that is not known yet creates its conversation.
    public var conversation: ConversationReference
    public var text: String
    public var senderSessionID: String
    public var recipientSessionID: String
    public var timestamp: Timestamp
    public var status: MessageStatus
    public var isOutgoing: Bool
    public var isRead: Bool
    public var attachmentURL: String?
    public var attachmentType: String?
    public var replyToMessageID: String?

    /// - Parameters:
    ///   - id: 1 to 128 bytes; a fresh UUIDv7 by default.
    ///   - text: at most 1 MiB of UTF-8.
    ///   - timestamp: the time now by default.
    public init(
        id: String = UUIDv7().description, conversation: ConversationReference, text: String,
        senderSessionID: String = "", recipientSessionID: String = "", timestamp: Timestamp = .now,
        status: MessageStatus = .pending, isOutgoing: Bool = false, isRead: Bool = false,
        attachmentURL: String? = nil, attachmentType: String? = nil, replyToMessageID: String? = nil
    ) {
        self.id = id
        self.conversation = conversation
        self.text = text
        self.senderSessionID = senderSessionID
        self.recipientSessionID = recipientSessionID
        self.timestamp = timestamp
        self.status = status
        self.isOutgoing = isOutgoing
        self.isRead = isRead
        self.attachmentURL = attachmentURL
        self.attachmentType = attachmentType
        self.replyToMessageID = replyToMessageID
    }
}
