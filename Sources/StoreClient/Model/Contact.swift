/// A contact as the store has it.
public struct Contact: Hashable, Sendable, Codable {
    /// 1 to 128 bytes.
    public var id: String
    /// What the application knows the contact by: unique, 1 to 256 bytes.
    public var sessionID: String
    /// `nil` for a nameless one.
    public var displayName: String?
    /// The bytes of a picture, in whatever form it was saved. Only there when the call asked for avatars; see
    /// `hasAvatar`.
    public var avatar: [UInt8]?
    /// Whether the store keeps an avatar.
    public var hasAvatar: Bool
    /// What the person wrote down about the contact.
    public var notes: String?
    /// Whether the person wants to hear nothing of the contact. The store keeps it and does nothing with it.
    public var isBlocked: Bool
    /// Whether the person has approved of the contact. The store keeps it and does nothing with it.
    public var isTrusted: Bool
    /// When the contact was saved first, by the daemon's clock.
    public var createdAt: Timestamp
    /// When the contact was saved last, by the daemon's clock.
    public var updatedAt: Timestamp

    /// For tests and previews: the calls of a client make their own.
    public init(
        id: String, sessionID: String, displayName: String? = nil, avatar: [UInt8]? = nil, hasAvatar: Bool = false,
        notes: String? = nil, isBlocked: Bool = false, isTrusted: Bool = false, createdAt: Timestamp,
        updatedAt: Timestamp
    ) {
        self.id = id
        self.sessionID = sessionID
        self.displayName = displayName
        self.avatar = avatar
        self.hasAvatar = hasAvatar
        self.notes = notes
        self.isBlocked = isBlocked
        self.isTrusted = isTrusted
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}

/// What to write of a contact; what is `.keep` or `nil` stays as it is. A contact that is missing is created.
public struct ContactUpdate: Hashable, Sendable {
    /// The id to give a new one; a fresh UUIDv7 by default.
    public var id: String
    /// Which contact: 1 to 256 bytes of UTF-8 without NUL.
    public var sessionID: String
    /// The name shown for it.
    public var displayName: FieldUpdate<String>
    /// At most 4 MiB.
    public var avatar: FieldUpdate<[UInt8]>
    /// What the person wrote down about it.
    public var notes: FieldUpdate<String>
    /// Whether the person wants to hear nothing of it.
    public var isBlocked: Bool?
    /// Whether the person has approved of it.
    public var isTrusted: Bool?

    /// Changes what is named; all else stays as it is.
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
public struct ContactFilter: Hashable, Sendable, Codable {
    /// True: only blocked ones; false: only others.
    public var isBlocked: Bool?
    /// True: only trusted ones; false: only others.
    public var isTrusted: Bool?

    /// Without conditions: every contact.
    public init(isBlocked: Bool? = nil, isTrusted: Bool? = nil) {
        self.isBlocked = isBlocked
        self.isTrusted = isTrusted
    }
}

/// A page of contacts by display name, the nameless ones last.
public struct ContactPage: ListPage, CursorPage, Codable {
    /// At most as many as were asked for; fewer where their texts and avatars are large, and fewer or none where a
    /// filter passes over many.
    public var contacts: [Contact]
    /// Where the next page starts; `nil` on the last one.
    public var nextCursor: String?

    /// For tests and previews: the calls of a client make their own.
    public init(contacts: [Contact], nextCursor: String? = nil) {
        self.contacts = contacts
        self.nextCursor = nextCursor
    }

    /// `contacts`.
    public var elements: [Contact] { contacts }
}
