/// A contact as the store has it.
public struct Contact: Hashable, Sendable {
    public var id: String
    public var sessionID: String
    public var displayName: String?
    /// Only there when the call asked for avatars; see `hasAvatar`.
    public var avatar: [UInt8]?
    public var hasAvatar: Bool
    public var notes: String?
    public var isBlocked: Bool
    public var isTrusted: Bool
    public var createdAt: Timestamp
    public var updatedAt: Timestamp
}

/// What to write of a contact; what is `.keep` or `nil` stays as it is. A contact that is missing is created.
public struct ContactUpdate: Hashable, Sendable {
    /// The id to give a new one; a fresh UUIDv7 by default.
    public var id: String
    public var sessionID: String
    public var displayName: FieldUpdate<String>
    public var avatar: FieldUpdate<[UInt8]>
    public var notes: FieldUpdate<String>
    public var isBlocked: Bool?
    public var isTrusted: Bool?

    public init(
        sessionID: String, id: String = UUIDv7().description, displayName: FieldUpdate<String> = .keep,
        avatar: FieldUpdate<[UInt8]> = .keep, notes: FieldUpdate<String> = .keep, isBlocked: Bool? = nil,
        isTrusted: Bool? = nil
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

/// Which contacts a list holds. Each condition that is set must hold.
public struct ContactFilter: Hashable, Sendable {
    public var isBlocked: Bool?
    public var isTrusted: Bool?

    public init(isBlocked: Bool? = nil, isTrusted: Bool? = nil) {
        self.isBlocked = isBlocked
        self.isTrusted = isTrusted
    }
}

/// A page of contacts by display name, the nameless ones last.
public struct ContactPage: Hashable, Sendable {
    public var contacts: [Contact]
    /// Where the next page starts; `nil` on the last one.
    public var nextCursor: String?
}
