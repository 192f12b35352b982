import ReplicaModel
package import StoreBasics

/// A contact as readers get it.
package struct Contact: Hashable, Sendable {
    package var id: EntityID
    package var sessionID: SessionID
    package var displayName: String?
    /// The avatar; present only if the caller requested avatars.
    package var avatar: [UInt8]?
    package var hasAvatar: Bool
    package var notes: String?
    package var isBlocked: Bool
    package var isTrusted: Bool
    package var createdAt: Timestamp
    package var updatedAt: Timestamp
    package var metadata: Metadata?
}

/// An update that creates a contact or changes the fields that are not `nil`. An empty text, avatar or
/// metadata removes the value.
package struct ContactUpdate: Hashable, Sendable {
    package var sessionID: SessionID
    /// The id of a new contact; `nil` for a new UUIDv7. Not used for an existing contact.
    package var id: EntityID?
    package var displayName: String?
    package var avatar: [UInt8]?
    package var notes: String?
    package var isBlocked: Bool?
    package var isTrusted: Bool?
    package var metadata: Metadata?

    package init(
        sessionID: SessionID, id: EntityID? = nil, displayName: String? = nil, avatar: [UInt8]? = nil,
        notes: String? = nil, isBlocked: Bool? = nil, isTrusted: Bool? = nil, metadata: Metadata? = nil
    ) {
        self.sessionID = sessionID
        self.id = id
        self.displayName = displayName
        self.avatar = avatar
        self.notes = notes
        self.isBlocked = isBlocked
        self.isTrusted = isTrusted
        self.metadata = metadata
    }
}

/// A query for contacts, in the order of display names; contacts without a name come last, in the order of session ids.
package struct ContactQuery: Hashable, Sendable {
    /// The most contacts of a page, 1 to `EngineLimits.pageRowsMax`.
    package var limit: Int
    package var cursor: String?
    package var isBlocked: Bool?
    package var isTrusted: Bool?
    /// A search in the names.
    package var search: SearchQuery?
    package var includeAvatars: Bool

    package init(
        limit: Int = EngineLimits.pageRowsDefault, cursor: String? = nil, isBlocked: Bool? = nil,
        isTrusted: Bool? = nil, search: SearchQuery? = nil, includeAvatars: Bool = false
    ) {
        self.limit = limit
        self.cursor = cursor
        self.isBlocked = isBlocked
        self.isTrusted = isTrusted
        self.search = search
        self.includeAvatars = includeAvatars
    }
}

package struct ContactPage: Sendable {
    package var contacts: [Contact]
    /// The cursor of the next page; `nil` on the last page.
    package var nextCursor: String?
}

/// The sort key of a contact: first the contacts with a name, in the order of their lower-cased names, then the others.
enum ContactSortKey {
    static func make(displayName: String?) -> String {
        guard let name = displayName?.nilIfEmpty else { return "1" }
        return "0" + name.lowercased()
    }
}

extension ContactUpdate {
    /// The fields that the update sets.
    var fields: FieldSet {
        var fields: [FieldNumber] = []
        if displayName != nil { fields.append(.displayName) }
        if notes != nil { fields.append(.notes) }
        if isBlocked != nil { fields.append(.isBlocked) }
        if isTrusted != nil { fields.append(.isTrusted) }
        if avatar != nil { fields.append(.avatar) }
        if metadata != nil { fields.append(.contactMetadata) }
        return FieldSet(fields)
    }
}
