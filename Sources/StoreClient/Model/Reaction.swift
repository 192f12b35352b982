/// Someone's reaction to a message. An author has one with each emoji, and may have several with different ones.
public struct Reaction: Hashable, Sendable, Codable {
    /// One grapheme cluster, as it was sent.
    public var emoji: String
    /// Whose it is.
    public var authorSessionID: String
    /// When it was added, by the daemon's clock.
    public var createdAt: Timestamp
    /// Of the change that added it.
    public var revision: UInt64

    /// For tests and previews: the calls of a client make their own.
    public init(emoji: String, authorSessionID: String, createdAt: Timestamp, revision: UInt64) {
        self.emoji = emoji
        self.authorSessionID = authorSessionID
        self.createdAt = createdAt
        self.revision = revision
    }
}

/// How many have reacted to a message with an emoji.
public struct ReactionCount: Hashable, Sendable, Codable {
    /// One grapheme cluster, as it was sent.
    public var emoji: String
    /// 1 or more.
    public var count: Int

    /// For tests and previews: the calls of a client make their own.
    public init(emoji: String, count: Int) {
        self.emoji = emoji
        self.count = count
    }
}

/// A page of the reactions to a message, by when they were added.
public struct ReactionPage: ListPage, CursorPage, Codable {
    /// At most as many as were asked for.
    public var reactions: [Reaction]
    /// Where the next page starts; `nil` on the last one.
    public var nextCursor: String?

    /// For tests and previews: the calls of a client make their own.
    public init(reactions: [Reaction], nextCursor: String? = nil) {
        self.reactions = reactions
        self.nextCursor = nextCursor
    }

    /// `reactions`.
    public var elements: [Reaction] { reactions }
}
