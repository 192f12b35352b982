/// A person, as an archive has them.
public struct ArchivedContact: Hashable, Sendable {
    /// Its id.
    public var id: String
    /// The person's session id.
    public var sessionID: String
    /// The name to show.
    public var displayName: String?
    /// The picture.
    public var avatar: [UInt8]?
    /// What the user wrote about them.
    public var notes: String?
    /// Whether nothing is wanted of them.
    public var isBlocked: Bool
    /// Whether the user trusts them.
    public var isTrusted: Bool
    /// When it was made.
    public var createdAt: Timestamp
    /// When it last changed.
    public var updatedAt: Timestamp

    /// A contact with these fields.
    public init(
        id: String, sessionID: String, displayName: String? = nil, avatar: [UInt8]? = nil, notes: String? = nil,
        isBlocked: Bool = false, isTrusted: Bool = false, createdAt: Timestamp, updatedAt: Timestamp
    ) {
        self.id = id
        self.sessionID = sessionID
        self.displayName = displayName
        self.avatar = avatar
        self.notes = notes
        self.isBlocked = isBlocked
        self.isTrusted = isTrusted
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}

/// A conversation, as an archive has it.
public struct ArchivedConversation: Hashable, Sendable {
    /// Its id.
    public var id: String
    /// The session id of the other party.
    public var sessionID: String
    /// The name to show.
    public var displayName: String?
    /// The picture.
    public var avatar: [UInt8]?
    /// Whether it stands before the others.
    public var isPinned: Bool
    /// Whether it makes no sound.
    public var isMuted: Bool
    /// How long it keeps its messages.
    public var retention: ConversationRetention
    /// When it was made.
    public var createdAt: Timestamp
    /// When it last changed.
    public var updatedAt: Timestamp

    /// A conversation with these fields.
    public init(
        id: String, sessionID: String, displayName: String? = nil, avatar: [UInt8]? = nil, isPinned: Bool = false,
        isMuted: Bool = false, retention: ConversationRetention = ConversationRetention(), createdAt: Timestamp,
        updatedAt: Timestamp
    ) {
        self.id = id
        self.sessionID = sessionID
        self.displayName = displayName
        self.avatar = avatar
        self.isPinned = isPinned
        self.isMuted = isMuted
        self.retention = retention
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}

/// What is attached to a message or draft, as an archive has it.
public struct ArchivedAttachment: Hashable, Sendable {
    /// Empty where it has none.
    public var name: String
    /// What its content is, such as `image/png`.
    public var mimeType: String
    /// Of its content, which the archive holds as an `ArchivedContent` where the store had it.
    public var contentBytes: UInt64
    /// BLAKE2b-256 of its content: 64 hexadecimal digits.
    public var digest: String
    /// Where the application can fetch the content again; `nil`: nowhere.
    public var source: String?
    /// Empty where it has none.
    public var thumbnail: [UInt8]

    /// An attachment with these fields.
    public init(
        name: String = "", mimeType: String, contentBytes: UInt64, digest: String, source: String? = nil,
        thumbnail: [UInt8] = []
    ) {
        self.name = name
        self.mimeType = mimeType
        self.contentBytes = contentBytes
        self.digest = digest
        self.source = source
        self.thumbnail = thumbnail
    }
}

/// A draft, as an archive has it.
public struct ArchivedDraft: Hashable, Sendable {
    /// That of its conversation.
    public var sessionID: String
    /// What was written.
    public var text: String
    /// Where its attachment is.
    public var attachmentURL: String?
    /// What its attachment is.
    public var attachmentType: String?
    /// The message it answers.
    public var replyToMessageID: String?
    /// When it was saved last with another content.
    public var updatedAt: Timestamp
    /// What is attached to it.
    public var attachments: [ArchivedAttachment]

    /// A draft with these fields.
    public init(
        sessionID: String, text: String, attachmentURL: String? = nil, attachmentType: String? = nil,
        replyToMessageID: String? = nil, updatedAt: Timestamp, attachments: [ArchivedAttachment] = []
    ) {
        self.sessionID = sessionID
        self.text = text
        self.attachmentURL = attachmentURL
        self.attachmentType = attachmentType
        self.replyToMessageID = replyToMessageID
        self.updatedAt = updatedAt
        self.attachments = attachments
    }
}
