/// What was written in a conversation and not sent. A conversation has one draft or none.
public struct Draft: Hashable, Sendable, Codable {
    /// The conversation it lies in.
    public var conversationID: String
    /// At most 1 MiB of UTF-8; may be empty where there is something else.
    public var text: String
    /// Where its attachment is. The store does not look there.
    public var attachmentURL: String?
    /// What its attachment is, such as `image/png`.
    public var attachmentType: String?
    /// The message it answers, which need not be in the store.
    public var replyToMessageID: String?
    /// When it was saved last with another content, by the daemon's clock.
    public var updatedAt: Timestamp
    /// Of the change that made it what it is.
    public var revision: UInt64
    /// What is attached to it.
    public var attachments: [Attachment]

    /// For tests and previews: the calls of a client make their own.
    public init(
        conversationID: String, text: String = "", attachmentURL: String? = nil, attachmentType: String? = nil,
        replyToMessageID: String? = nil, updatedAt: Timestamp, revision: UInt64,
        attachments: [Attachment] = []
    ) {
        self.conversationID = conversationID
        self.text = text
        self.attachmentURL = attachmentURL
        self.attachmentType = attachmentType
        self.replyToMessageID = replyToMessageID
        self.updatedAt = updatedAt
        self.revision = revision
        self.attachments = attachments
    }
}

/// A page of drafts: the one saved last first.
public struct DraftPage: ListPage, CursorPage, Codable {
    /// At most as many as were asked for; fewer where they are large.
    public var drafts: [Draft]
    /// Where the next page starts; `nil` on the last one.
    public var nextCursor: String?

    /// For tests and previews: the calls of a client make their own.
    public init(drafts: [Draft], nextCursor: String? = nil) {
        self.drafts = drafts
        self.nextCursor = nextCursor
    }

    /// `drafts`.
    public var elements: [Draft] { drafts }
}
