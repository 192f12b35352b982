/// A contact as a reader gets it.
public struct Contact: Hashable, Sendable {
    public var id: EntityID
    public var sessionID: SessionID
    public var displayName: String?
    /// Present only where the caller asked for avatars.
    public var avatar: [UInt8]?
    public var hasAvatar: Bool
    public var notes: String?
    public var isBlocked: Bool
    public var isTrusted: Bool
    public var createdAt: Timestamp
    public var updatedAt: Timestamp
}

/// Creates a contact or changes what is not `nil`; an empty text or avatar removes it.
public struct ContactUpdate: Hashable, Sendable {
    public var sessionID: SessionID
    /// Only used for a new contact; `nil` lets the engine make a UUIDv7.
    public var id: EntityID?
    public var displayName: String?
    public var avatar: [UInt8]?
    public var notes: String?
    public var isBlocked: Bool?
    public var isTrusted: Bool?

    public init(
        sessionID: SessionID, id: EntityID? = nil, displayName: String? = nil, avatar: [UInt8]? = nil,
        notes: String? = nil, isBlocked: Bool? = nil, isTrusted: Bool? = nil
    ) {
        self.sessionID = sessionID
        self.id = id
        self.displayName = displayName
        self.avatar = avatar
        self.notes = notes
        self.isBlocked = isBlocked
        self.isTrusted = isTrusted
    }
}

/// A page of contacts by display name; the nameless ones last, by session id.
public struct ContactQuery: Hashable, Sendable {
    /// 1 to `EngineLimits.pageRowsMax`.
    public var limit: Int
    public var cursor: String?
    public var isBlocked: Bool?
    public var isTrusted: Bool?
    public var includeAvatars: Bool

    public init(
        limit: Int = EngineLimits.pageRowsDefault, cursor: String? = nil, isBlocked: Bool? = nil,
        isTrusted: Bool? = nil, includeAvatars: Bool = false
    ) {
        self.limit = limit
        self.cursor = cursor
        self.isBlocked = isBlocked
        self.isTrusted = isTrusted
        self.includeAvatars = includeAvatars
    }
}

public struct ContactPage: Sendable {
    public var contacts: [Contact]
    /// `nil` on the last page.
    public var nextCursor: String?
}
