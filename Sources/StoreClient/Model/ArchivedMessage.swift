/// A message, as an archive has it.
public struct ArchivedMessage: Hashable, Sendable {
    /// Its id.
    public var id: String
    /// What it says.
    public var text: String
    /// Who sent it.
    public var senderSessionID: String
    /// Who it was sent to.
    public var recipientSessionID: String
    /// When it was written.
    public var timestamp: Timestamp
    /// How far it has come.
    public var status: MessageStatus
    /// Whether it was sent from here.
    public var isOutgoing: Bool
    /// Whether it has been read.
    public var isRead: Bool
    /// Where its attachment is.
    public var attachmentURL: String?
    /// What its attachment is.
    public var attachmentType: String?
    /// The message it answers.
    public var replyToMessageID: String?
    /// When it was saved first.
    public var createdAt: Timestamp
    /// When its text was last replaced.
    public var editedAt: Timestamp?
    /// What makes it go.
    public var timer: MessageTimer?
    /// When it goes; `nil` while no timer runs.
    public var expiresAt: Timestamp?
    /// What is attached to it, in order.
    public var attachments: [ArchivedAttachment]

    /// A message with these fields.
    public init(
        id: String, text: String, senderSessionID: String = "", recipientSessionID: String = "", timestamp: Timestamp,
        status: MessageStatus = .pending, isOutgoing: Bool = false, isRead: Bool = false,
        attachmentURL: String? = nil, attachmentType: String? = nil, replyToMessageID: String? = nil,
        createdAt: Timestamp, editedAt: Timestamp? = nil, timer: MessageTimer? = nil, expiresAt: Timestamp? = nil,
        attachments: [ArchivedAttachment] = []
    ) {
        self.id = id
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
        self.timer = timer
        self.expiresAt = expiresAt
        self.attachments = attachments
    }
}

/// A reaction, as an archive has it.
public struct ArchivedReaction: Hashable, Sendable {
    /// Whose it is.
    public var authorSessionID: String
    /// One grapheme cluster.
    public var emoji: String
    /// When it was added.
    public var createdAt: Timestamp

    /// A reaction with these fields.
    public init(authorSessionID: String, emoji: String, createdAt: Timestamp) {
        self.authorSessionID = authorSessionID
        self.emoji = emoji
        self.createdAt = createdAt
    }
}
