/// How far a message has come. The raw values are kept at rest.
public enum MessageStatus: Int, Hashable, Sendable, CaseIterable {
    case pending = 0
    case sent = 1
    case delivered = 2
    case failed = 3
}

/// A message as a reader gets it.
public struct Message: Hashable, Sendable {
    public var id: EntityID
    public var conversationID: EntityID
    public var text: String
    public var senderSessionID: String
    public var recipientSessionID: String
    public var timestamp: Timestamp
    public var status: MessageStatus
    public var isOutgoing: Bool
    public var isRead: Bool
    public var attachmentURL: String?
    public var attachmentType: String?
    public var replyToMessageID: EntityID?
    public var createdAt: Timestamp
    public var editedAt: Timestamp?
}

/// A message to save. Saving an id that exists replaces its fields; `createdAt` and `editedAt` are kept.
public struct NewMessage: Hashable, Sendable {
    /// `nil` lets the engine make a UUIDv7.
    public var id: EntityID?
    /// A session id that is not known yet creates its conversation.
    public var conversation: ConversationReference
    public var text: String
    public var senderSessionID: String
    public var recipientSessionID: String
    /// `nil` means now.
    public var timestamp: Timestamp?
    public var status: MessageStatus
    public var isOutgoing: Bool
    public var isRead: Bool
    public var attachmentURL: String?
    public var attachmentType: String?
    public var replyToMessageID: EntityID?

    public init(
        id: EntityID? = nil, conversation: ConversationReference, text: String, senderSessionID: String = "",
        recipientSessionID: String = "", timestamp: Timestamp? = nil, status: MessageStatus = .pending,
        isOutgoing: Bool = false, isRead: Bool = false, attachmentURL: String? = nil,
        attachmentType: String? = nil, replyToMessageID: EntityID? = nil
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

public enum MessageOrder: Hashable, Sendable {
    case newestFirst
    case oldestFirst
}

/// A page of one conversation's messages, ordered by timestamp.
public struct MessageQuery: Hashable, Sendable {
    public var conversation: ConversationReference
    /// 1 to `EngineLimits.pageRowsMax`.
    public var limit: Int
    public var order: MessageOrder
    /// Only strictly older messages.
    public var before: MessageCursor?
    /// Only strictly newer messages.
    public var after: MessageCursor?
    /// Only at or after this time.
    public var from: Timestamp?
    /// Only before this time.
    public var until: Timestamp?
    public var senderSessionID: String?
    public var isOutgoing: Bool?
    public var status: MessageStatus?
    public var hasAttachment: Bool?
    public var isRead: Bool?

    public init(
        conversation: ConversationReference, limit: Int = EngineLimits.pageRowsDefault,
        order: MessageOrder = .newestFirst
    ) {
        self.conversation = conversation
        self.limit = limit
        self.order = order
    }
}

/// A message's place in its conversation: stable also when that message is deleted.
public struct MessageCursor: Hashable, Sendable {
    let timestamp: Timestamp
    let sequence: Int64

    init(timestamp: Timestamp, sequence: Int64) {
        self.timestamp = timestamp
        self.sequence = sequence
    }

    /// - Throws: `StoreError` with reason `.invalidArgument` for anything that `text` of a cursor did not give.
    public init(_ text: String) throws(StoreError) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let microseconds = Int64(parts[0]), let sequence = Int64(parts[1]) else {
            throw .invalidArgument("the cursor is not one the daemon gave; start again without it")
        }
        self.init(timestamp: Timestamp(microseconds: microseconds), sequence: sequence)
    }

    public var text: String {
        "\(timestamp.microseconds).\(sequence)"
    }
}

public struct MessagePage: Sendable {
    public var messages: [Message]
    public var first: MessageCursor?
    public var last: MessageCursor?
    /// Further messages lie beyond this page in the asked order.
    public var hasMore: Bool
}
