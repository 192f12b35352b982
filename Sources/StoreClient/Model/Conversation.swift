/// A conversation as the store has it.
public struct Conversation: Hashable, Sendable, Codable {
    /// 1 to 128 bytes.
    public var id: String
    /// The other party's session id: unique, what the application knows the conversation by. 1 to 256 bytes.
    public var sessionID: String
    /// `nil` for a nameless one.
    public var displayName: String?
    /// The bytes of a picture, in whatever form it was saved. Only there when the call asked for avatars; see
    /// `hasAvatar`.
    public var avatar: [UInt8]?
    /// Whether the store keeps an avatar.
    public var hasAvatar: Bool
    /// Whether it stands before those that are not in lists.
    public var isPinned: Bool
    /// Whether the person wants no notice of its messages. The store keeps it and does nothing with it.
    public var isMuted: Bool
    /// Its messages.
    public var messageCount: Int
    /// Incoming messages that are not marked read.
    public var unreadCount: Int
    /// The newest message by timestamp; none is told to a caller without the right to read messages.
    public var lastMessage: LastMessage?
    /// When it was made, by the daemon's clock.
    public var createdAt: Timestamp
    /// When its own fields or its messages were last written, by the daemon's clock.
    public var updatedAt: Timestamp
    /// The last message's timestamp, or `createdAt` while there is none. Lists are sorted by it.
    public var lastActivityAt: Timestamp
    /// How long it keeps its messages; `nil`: for good.
    public var retention: ConversationRetention?

    /// For tests and previews: the calls of a client make their own.
    public init(
        id: String, sessionID: String, displayName: String? = nil, avatar: [UInt8]? = nil, hasAvatar: Bool = false,
        isPinned: Bool = false, isMuted: Bool = false, messageCount: Int = 0, unreadCount: Int = 0,
        lastMessage: LastMessage? = nil, createdAt: Timestamp, updatedAt: Timestamp, lastActivityAt: Timestamp,
        retention: ConversationRetention? = nil
    ) {
        self.id = id
        self.sessionID = sessionID
        self.displayName = displayName
        self.avatar = avatar
        self.hasAvatar = hasAvatar
        self.isPinned = isPinned
        self.isMuted = isMuted
        self.messageCount = messageCount
        self.unreadCount = unreadCount
        self.lastMessage = lastMessage
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.lastActivityAt = lastActivityAt
        self.retention = retention
    }
}

/// What a list of conversations shows of the newest message.
public struct LastMessage: Hashable, Sendable, Codable {
    /// The message's id.
    public var id: String
    /// The message's text.
    public var text: String
    /// When the message was written, as whoever saved it said.
    public var timestamp: Timestamp
    /// Whether this side sent it.
    public var isOutgoing: Bool
    /// How far it has come.
    public var status: MessageStatus

    /// For tests and previews: the calls of a client make their own.
    public init(
        id: String, text: String, timestamp: Timestamp, isOutgoing: Bool = false, status: MessageStatus = .sent
    ) {
        self.id = id
        self.text = text
        self.timestamp = timestamp
        self.isOutgoing = isOutgoing
        self.status = status
    }
}

/// A conversation by either of its names.
public enum ConversationReference: Hashable, Sendable, Codable {
    /// 1 to 128 bytes of UTF-8 without NUL.
    case id(String)
    /// 1 to 256 bytes of UTF-8 without NUL.
    case sessionID(String)

    private enum Name: String, CodingKey {
        case id, sessionID
    }

    /// Reads an object that has one of the two names: `{"sessionID": "05alice"}`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Name.self)
        if let id = try container.decodeIfPresent(String.self, forKey: .id) {
            self = .id(id)
        } else {
            self = .sessionID(try container.decode(String.self, forKey: .sessionID))
        }
    }

    /// Writes an object of the one name.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        switch self {
        case .id(let id): try container.encode(id, forKey: .id)
        case .sessionID(let sessionID): try container.encode(sessionID, forKey: .sessionID)
        }
    }
}

/// Which conversations a list holds. Each condition that is set must hold.
public struct ConversationFilter: Hashable, Sendable, Codable {
    /// True: only pinned ones; false: only others.
    public var isPinned: Bool?
    /// True: only muted ones; false: only others.
    public var isMuted: Bool?
    /// True: only with unread messages; false: only without.
    public var hasUnread: Bool?

    /// Without conditions: every conversation.
    public init(isPinned: Bool? = nil, isMuted: Bool? = nil, hasUnread: Bool? = nil) {
        self.isPinned = isPinned
        self.isMuted = isMuted
        self.hasUnread = hasUnread
    }
}

/// What to change of a conversation; what is `.keep` stays as it is.
public struct ConversationUpdate: Hashable, Sendable {
    /// The name shown for it.
    public var displayName: FieldUpdate<String>
    /// At most 4 MiB.
    public var avatar: FieldUpdate<[UInt8]>
    /// `nil` keeps it.
    public var isPinned: Bool?
    /// `nil` keeps it.
    public var isMuted: Bool?
    /// What messages get that are saved without a timer from now on.
    public var messageTimer: FieldUpdate<MessageTimer>
    /// How long after their timestamps messages are kept, those that are there too: 1 ms to 100 years.
    public var keepFor: FieldUpdate<Duration>
    /// How many of the newest messages are kept; 0 or less is the same as `.remove`.
    public var keepCount: FieldUpdate<Int>

    /// Changes what is named; all else stays as it is.
    public init(
        displayName: FieldUpdate<String> = .keep, avatar: FieldUpdate<[UInt8]> = .keep, isPinned: Bool? = nil,
        isMuted: Bool? = nil, messageTimer: FieldUpdate<MessageTimer> = .keep,
        keepFor: FieldUpdate<Duration> = .keep, keepCount: FieldUpdate<Int> = .keep
    ) {
        self.displayName = displayName
        self.avatar = avatar
        self.isPinned = isPinned
        self.isMuted = isMuted
        self.messageTimer = messageTimer
        self.keepFor = keepFor
        self.keepCount = keepCount
    }
}

/// What happens to a field that may be absent.
public enum FieldUpdate<Value: Hashable & Sendable>: Hashable, Sendable {
    /// It stays as it is.
    case keep
    /// It gets this value. An empty value is the same as `.remove`.
    case set(Value)
    /// It is absent from then on.
    case remove
}

/// A page of conversations: pinned ones first, each part newest activity first.
public struct ConversationPage: ListPage, CursorPage, Codable {
    /// At most as many as were asked for; fewer where their texts and avatars are large, and fewer or none where a
    /// filter passes over many.
    public var conversations: [Conversation]
    /// Where the next page starts; `nil` on the last one.
    public var nextCursor: String?

    /// For tests and previews: the calls of a client make their own.
    public init(conversations: [Conversation], nextCursor: String? = nil) {
        self.conversations = conversations
        self.nextCursor = nextCursor
    }

    /// `conversations`.
    public var elements: [Conversation] { conversations }
}
