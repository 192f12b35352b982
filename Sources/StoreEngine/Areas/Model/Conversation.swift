import ReplicaModel
package import StoreBasics

/// A conversation as a reader gets it.
package struct Conversation: Hashable, Sendable {
    package var id: EntityID
    package var sessionID: SessionID
    package var displayName: String?
    /// Present only where the caller asked for avatars.
    package var avatar: [UInt8]?
    package var hasAvatar: Bool
    package var isPinned: Bool
    package var isMuted: Bool
    package var messageCount: Int
    /// Incoming messages not marked read.
    package var unreadCount: Int
    /// The newest message by timestamp.
    package var lastMessage: LastMessage?
    package var createdAt: Timestamp
    package var updatedAt: Timestamp
    /// The last message's timestamp, or `createdAt` where there is none.
    package var lastActivityAt: Timestamp
    package var retention = ConversationRetention()
}

/// What a conversation list shows of the newest message.
package struct LastMessage: Hashable, Sendable {
    package var id: EntityID
    package var text: String
    package var timestamp: Timestamp
    package var isOutgoing: Bool
    package var status: MessageStatus
}

/// What `updateConversation` may change; `nil` leaves a field as it is, an empty text or avatar removes it.
package struct ConversationUpdate: Hashable, Sendable {
    package var displayName: String?
    package var avatar: [UInt8]?
    package var isPinned: Bool?
    package var isMuted: Bool?
    package var retention: RetentionUpdate?

    package init(
        displayName: String? = nil, avatar: [UInt8]? = nil, isPinned: Bool? = nil, isMuted: Bool? = nil,
        retention: RetentionUpdate? = nil
    ) {
        self.displayName = displayName
        self.avatar = avatar
        self.isPinned = isPinned
        self.isMuted = isMuted
        self.retention = retention
    }
}

/// A page of conversations: pinned ones first, each part newest activity first.
package struct ConversationQuery: Hashable, Sendable {
    /// 1 to `EngineLimits.pageRowsMax`.
    package var limit: Int
    /// From the page before.
    package var cursor: String?
    package var isPinned: Bool?
    package var isMuted: Bool?
    package var hasUnread: Bool?
    /// What their names are searched for.
    package var search: SearchQuery?
    package var includeAvatars: Bool

    package init(
        limit: Int = EngineLimits.pageRowsDefault, cursor: String? = nil, isPinned: Bool? = nil,
        isMuted: Bool? = nil, hasUnread: Bool? = nil, search: SearchQuery? = nil, includeAvatars: Bool = false
    ) {
        self.limit = limit
        self.cursor = cursor
        self.isPinned = isPinned
        self.isMuted = isMuted
        self.hasUnread = hasUnread
        self.search = search
        self.includeAvatars = includeAvatars
    }
}

package struct ConversationPage: Sendable {
    package var conversations: [Conversation]
    /// `nil` on the last page.
    package var nextCursor: String?
}

extension ConversationUpdate {
    /// The fields that the update sets.
    var fields: FieldSet {
        var fields: [FieldNumber] = []
        if displayName != nil { fields.append(.displayName) }
        if isPinned != nil { fields.append(.isPinned) }
        if isMuted != nil { fields.append(.isMuted) }
        if avatar != nil { fields.append(.avatar) }
        if retention != nil { fields.append(.retention) }
        return FieldSet(fields)
    }
}
