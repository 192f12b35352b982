import ReplicaModel
package import StoreBasics

/// A conversation as readers get it.
package struct Conversation: Hashable, Sendable {
    package var id: EntityID
    package var sessionID: SessionID
    package var displayName: String?
    /// The avatar; present only if the caller requested avatars.
    package var avatar: [UInt8]?
    package var hasAvatar: Bool
    package var isPinned: Bool
    package var isMuted: Bool
    package var messageCount: Int
    /// The number of incoming messages that are not marked as read.
    package var unreadCount: Int
    /// The message with the latest timestamp.
    package var lastMessage: LastMessage?
    package var createdAt: Timestamp
    package var updatedAt: Timestamp
    /// The last message's timestamp; `createdAt` without messages.
    package var lastActivityAt: Timestamp
    package var retention = ConversationRetention()
    package var kind: String?
    package var metadata: Metadata?
}

/// The newest message as a list of conversations shows it.
package struct LastMessage: Hashable, Sendable {
    package var id: EntityID
    package var text: String
    package var timestamp: Timestamp
    package var isOutgoing: Bool
    package var status: MessageStatus
}

/// The changes of `updateConversation`; `nil` leaves a field as it is; an empty text, avatar or metadata
/// removes it.
package struct ConversationUpdate: Hashable, Sendable {
    package var displayName: String?
    package var avatar: [UInt8]?
    package var isPinned: Bool?
    package var isMuted: Bool?
    package var retention: RetentionUpdate?
    package var kind: String?
    package var metadata: Metadata?

    package init(
        displayName: String? = nil, avatar: [UInt8]? = nil, isPinned: Bool? = nil, isMuted: Bool? = nil,
        retention: RetentionUpdate? = nil, kind: String? = nil, metadata: Metadata? = nil
    ) {
        self.displayName = displayName
        self.avatar = avatar
        self.isPinned = isPinned
        self.isMuted = isMuted
        self.retention = retention
        self.kind = kind
        self.metadata = metadata
    }
}

/// A query for conversations: first the pinned conversations, then the others. Each of the two groups is in the order
/// of the last activity, the latest first.
package struct ConversationQuery: Hashable, Sendable {
    /// The most conversations of a page, 1 to `EngineLimits.pageRowsMax`.
    package var limit: Int
    /// The cursor of the previous page.
    package var cursor: String?
    package var isPinned: Bool?
    package var isMuted: Bool?
    package var hasUnread: Bool?
    /// A search in the names.
    package var search: SearchQuery?
    package var includeAvatars: Bool
    /// Empty for conversations without a kind.
    package var kind: String?

    package init(
        limit: Int = EngineLimits.pageRowsDefault, cursor: String? = nil, isPinned: Bool? = nil,
        isMuted: Bool? = nil, hasUnread: Bool? = nil, search: SearchQuery? = nil, includeAvatars: Bool = false,
        kind: String? = nil
    ) {
        self.limit = limit
        self.cursor = cursor
        self.isPinned = isPinned
        self.isMuted = isMuted
        self.hasUnread = hasUnread
        self.search = search
        self.includeAvatars = includeAvatars
        self.kind = kind
    }
}

package struct ConversationPage: Sendable {
    package var conversations: [Conversation]
    /// The cursor of the next page; `nil` on the last page.
    package var nextCursor: String?
}

extension ConversationUpdate {
    func check() throws(StoreError) {
        try FieldLimits.checkDisplayName(displayName)
        try FieldLimits.checkAvatar(avatar)
        try FieldLimits.checkKind(kind)
    }

    /// The fields that the update sets.
    var fields: FieldSet {
        var fields: [FieldNumber] = []
        if displayName != nil { fields.append(.displayName) }
        if isPinned != nil { fields.append(.isPinned) }
        if isMuted != nil { fields.append(.isMuted) }
        if avatar != nil { fields.append(.avatar) }
        if retention != nil { fields.append(.retention) }
        if kind != nil { fields.append(.kind) }
        if metadata != nil { fields.append(.conversationMetadata) }
        return FieldSet(fields)
    }
}
