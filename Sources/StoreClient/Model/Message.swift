/// How far a message has come.
public enum MessageStatus: String, Hashable, Sendable, CaseIterable, Codable {
    /// Not sent yet.
    case pending
    /// Handed over to whoever delivers it.
    case sent
    /// Arrived.
    case delivered
    /// Could not be sent.
    case failed
    /// One that this client does not know yet. A message cannot be saved with it: the daemon refuses it.
    case unknown

    /// Those that a message can be given.
    public static var allCases: [MessageStatus] {
        [.pending, .sent, .delivered, .failed]
    }
}

/// A message as the store has it.
public struct Message: Hashable, Sendable, Codable {
    /// 1 to 128 bytes, unique in the store.
    public var id: String
    /// The conversation it belongs to.
    public var conversationID: String
    /// At most 1 MiB of UTF-8.
    public var text: String
    /// Who sent it; empty where whoever saved it did not say.
    public var senderSessionID: String
    /// Whom it was sent to; empty where whoever saved it did not say.
    public var recipientSessionID: String
    /// When it was written, as whoever saved it said. Lists are sorted by it.
    public var timestamp: Timestamp
    /// How far it has come.
    public var status: MessageStatus
    /// Whether this side sent it.
    public var isOutgoing: Bool
    /// Whether the person has seen it.
    public var isRead: Bool
    /// Where its attachment is. The store does not look there.
    public var attachmentURL: String?
    /// What its attachment is, such as `image/png`.
    public var attachmentType: String?
    /// The message it answers, which need not be in the store.
    public var replyToMessageID: String?
    /// When it was saved first, by the daemon's clock.
    public var createdAt: Timestamp
    /// When its text was edited last; `nil` when it never was.
    public var editedAt: Timestamp?
    /// The number of reactions with each emoji, in the order of each emoji's first reaction.
    public var reactions: [ReactionCount]
    /// Makes it go; `nil` where it is kept.
    public var timer: MessageTimer?
    /// When it goes, by the daemon's clock; `nil` while the timer does not run.
    public var expiresAt: Timestamp?
    /// What is attached to it; `readAttachment` reads them by their places.
    public var attachments: [Attachment]

    /// For tests and previews: the calls of a client make their own.
    public init(
        id: String, conversationID: String, text: String, senderSessionID: String = "",
        recipientSessionID: String = "", timestamp: Timestamp, status: MessageStatus = .sent,
        isOutgoing: Bool = false, isRead: Bool = false, attachmentURL: String? = nil, attachmentType: String? = nil,
        replyToMessageID: String? = nil, createdAt: Timestamp, editedAt: Timestamp? = nil,
        reactions: [ReactionCount] = [], timer: MessageTimer? = nil, expiresAt: Timestamp? = nil,
        attachments: [Attachment] = []
    ) {
        self.id = id
        self.conversationID = conversationID
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
        self.createdAt = createdAt
        self.editedAt = editedAt
        self.reactions = reactions
        self.timer = timer
        self.expiresAt = expiresAt
        self.attachments = attachments
    }
}

/// A message to save. Saving an id that exists replaces its fields; `createdAt`, `editedAt` and `reactions` are kept,
/// and so is `timer` unless another is given.
public struct NewMessage: Hashable, Sendable, Codable {
    /// Made here, on the client, so that a retry can never save the message twice.
    public var id: String
    /// A session id that is not known yet creates its conversation.
    public var conversation: ConversationReference
    /// At most 1 MiB of UTF-8.
    public var text: String
    /// Who sends it.
    public var senderSessionID: String
    /// Whom it is sent to.
    public var recipientSessionID: String
    /// When it was written. Lists are sorted by it. 1970-01-01T00:00:00Z, to the microsecond,
    /// stands for the time now, and for the time that it has where the message is there already.
    public var timestamp: Timestamp
    /// How far it has come.
    public var status: MessageStatus
    /// Whether this side sends it.
    public var isOutgoing: Bool
    /// Whether the person has seen it.
    public var isRead: Bool
    /// Where its attachment is. The store does not look there.
    public var attachmentURL: String?
    /// What its attachment is, such as `image/png`.
    public var attachmentType: String?
    /// The message it answers, which need not be in the store.
    public var replyToMessageID: String?
    /// Makes it go. `nil`: its conversation's, and where the message is there already the one it has.
    public var timer: MessageTimer?
    /// At most 32. Contents that are too large to go along are written before the message is saved.
    public var attachments: [NewAttachment]
    /// Without attachments here, those of a message that has the id already stay; else they go.
    public var keepsAttachments: Bool

    /// A message with an id of its own.
    ///
    /// - Parameters:
    ///   - id: 1 to 128 bytes; a fresh UUIDv7 by default.
    ///   - conversation: where it belongs; a session id that is not known yet creates its conversation.
    ///   - text: at most 1 MiB of UTF-8.
    ///   - senderSessionID: who sends it.
    ///   - recipientSessionID: whom it is sent to.
    ///   - timestamp: the time now by default.
    ///   - status: how far it has come.
    ///   - isOutgoing: whether this side sends it.
    ///   - isRead: whether the person has seen it.
    ///   - attachmentURL: where its attachment is, at most 4,096 bytes.
    ///   - attachmentType: what its attachment is, such as `image/png`; at most 256 bytes.
    ///   - replyToMessageID: the message it answers.
    ///   - timer: makes it go; that of its conversation by default.
    ///   - attachments: at most 32.
    ///   - keepsAttachments: without any, whether those stay that a message of the id has.
    public init(
        id: String = UUIDv7().description, conversation: ConversationReference, text: String,
        senderSessionID: String = "", recipientSessionID: String = "", timestamp: Timestamp = .now,
        status: MessageStatus = .pending, isOutgoing: Bool = false, isRead: Bool = false,
        attachmentURL: String? = nil, attachmentType: String? = nil, replyToMessageID: String? = nil,
        timer: MessageTimer? = nil, attachments: [NewAttachment] = [], keepsAttachments: Bool = false
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
        self.timer = timer
        self.attachments = attachments
        self.keepsAttachments = keepsAttachments
    }
}
