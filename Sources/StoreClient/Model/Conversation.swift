/// A conversation as the store has it.
public struct Conversation: Hashable, Sendable {
    public var id: String
    /// The other party's session id: unique, what the application knows the conversation by.
    public var sessionID: String
    public var displayName: String?
    /// Only there when the call asked for avatars; see `hasAvatar`.
    public var avatar: [UInt8]?
    public var hasAvatar: Bool
    public var isPinned: Bool
    public var isMuted: Bool
    public var messageCount: UInt64
    /// Incoming messages that are not marked read.
    public var unreadCount: UInt64
    /// The newest message by timestamp; none is told to a caller without the right to read messages.
    public var lastMessage: LastMessage?
    public var createdAt: Timestamp
    public var updatedAt: Timestamp
    /// The last message's timestamp, or `createdAt` while there is none. Lists are sorted by it.
    public var lastActivityAt: Timestamp
}

/// What a list of conversations shows of the newest message.
public struct LastMessage: Hashable, Sendable {
    public var id: String
    public var text: String
    public var timestamp: Timestamp
    public var isOutgoing: Bool
    public var status: MessageStatus
}

/// A conversation by either of its names.
public enum ConversationReference: Hashable, Sendable {
    /// 1 to 128 bytes of UTF-8 without NUL.
    case id(String)
    /// 1 to 256 bytes of UTF-8 without NUL.
    case sessionID(String)
}

/// Which conversations a list holds. Each condition that is set must hold.
public struct ConversationFilter: Hashable, Sendable {
    public var isPinned: Bool?
    public var isMuted: Bool?
    /// True: only with unread messages; false: only without.
    public var hasUnread: Bool?

    public init(isPinned: Bool? = nil, isMuted: Bool? = nil, hasUnread: Bool? = nil) {
        self.isPinned = isPinned
        self.isMuted = isMuted
        self.hasUnread = hasUnread
    }
}

/// What to change of a conversation; what is `.keep` stays as it is.
public struct ConversationUpdate: Hashable, Sendable {
    public var displayName: FieldUpdate<String>
    public var avatar: FieldUpdate<[UInt8]>
    public var isPinned: Bool?
    public var isMuted: Bool?

    public init(
        displayName: FieldUpdate<String> = .keep, avatar: FieldUpdate<[UInt8]> = .keep, isPinned: Bool? = nil,
        isMuted: Bool? = nil
    ) {
        self.displayName = displayName
        self.avatar = avatar
        self.isPinned = isPinned
        self.isMuted = isMuted
    }
}

/// What happens to a field that may be absent.
public enum FieldUpdate<Value: Hashable & Sendable>: Hashable, Sendable {
    case keep
    /// An empty value is the same as `.remove`.
    case set(Value)
    case remove
}

/// A page of conversations: pinned ones first, each part newest activity first.
public struct ConversationPage: Hashable, Sendable {
    public var conversations: [Conversation]
    /// Where the next page starts; `nil` on the last one.
    public var nextCursor: String?
}
