/// A conversation as a reader gets it.
public struct Conversation: Hashable, Sendable {
    public var id: EntityID
    public var sessionID: SessionID
    public var displayName: String?
    /// Present only where the caller asked for avatars.
    public var avatar: [UInt8]?
    public var hasAvatar: Bool
    public var isPinned: Bool
    public var isMuted: Bool
    public var messageCount: Int
    /// Incoming messages not marked read.
    public var unreadCount: Int
    /// The newest message by timestamp.
    public var lastMessage: LastMessage?
    public var createdAt: Timestamp
    public var updatedAt: Timestamp
    /// The last message's timestamp, or `createdAt` where there is none.
    public var lastActivityAt: Timestamp
}

/// What a conversation list shows of the newest message.
public struct LastMessage: Hashable, Sendable {
    public var id: EntityID
    public var text: String
    public var timestamp: Timestamp
    public var isOutgoing: Bool
    public var status: MessageStatus
}

/// What `updateConversation` may change; `nil` leaves a field as it is, an empty text or avatar removes it.
public struct ConversationUpdate: Hashable, Sendable {
    public var displayName: String?
    public var avatar: [UInt8]?
    public var isPinned: Bool?
    public var isMuted: Bool?

    public init(displayName: String? = nil, avatar: [UInt8]? = nil, isPinned: Bool? = nil, isMuted: Bool? = nil) {
        self.displayName = displayName
        self.avatar = avatar
        self.isPinned = isPinned
        self.isMuted = isMuted
    }
}

/// A page of conversations: pinned ones first, each part newest activity first.
public struct ConversationQuery: Hashable, Sendable {
    /// 1 to `EngineLimits.pageRowsMax`.
    public var limit: Int
    /// From the page before.
    public var cursor: String?
    public var isPinned: Bool?
    public var isMuted: Bool?
    public var hasUnread: Bool?
    public var includeAvatars: Bool

    public init(
        limit: Int = EngineLimits.pageRowsDefault, cursor: String? = nil, isPinned: Bool? = nil,
        isMuted: Bool? = nil, hasUnread: Bool? = nil, includeAvatars: Bool = false
    ) {
        self.limit = limit
        self.cursor = cursor
        self.isPinned = isPinned
        self.isMuted = isMuted
        self.hasUnread = hasUnread
        self.includeAvatars = includeAvatars
    }
}

public struct ConversationPage: Sendable {
    public var conversations: [Conversation]
    /// `nil` on the last page.
    public var nextCursor: String?
}
