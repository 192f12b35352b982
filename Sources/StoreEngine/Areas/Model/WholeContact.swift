package import StoreBasics

/// A contact with all that the store holds of it, as archives and replication have it.
package struct WholeContact: Hashable, Sendable {
    package var id: EntityID
    package var sessionID: SessionID
    package var displayName: String?
    package var avatar: [UInt8]?
    package var notes: String?
    package var isBlocked: Bool
    package var isTrusted: Bool
    package var createdAt: Timestamp
    package var updatedAt: Timestamp

    package init(
        id: EntityID, sessionID: SessionID, displayName: String?, avatar: [UInt8]?, notes: String?, isBlocked: Bool,
        isTrusted: Bool, createdAt: Timestamp, updatedAt: Timestamp
    ) {
        self.id = id
        self.sessionID = sessionID
        self.displayName = displayName
        self.avatar = avatar
        self.notes = notes
        self.isBlocked = isBlocked
        self.isTrusted = isTrusted
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}

extension WholeContact {
    var hasAvatar: Bool { !(avatar ?? []).isEmpty }

    /// What restoring `other` would change is as it is there; ids and the time it was made stay in any case.
    func isSame(as other: WholeContact) -> Bool {
        let texts = [displayName ?? "", notes ?? ""]
        return texts.haveSameBytes(as: [other.displayName ?? "", other.notes ?? ""])
            && avatar ?? [] == other.avatar ?? [] && isBlocked == other.isBlocked && isTrusted == other.isTrusted
            && updatedAt == other.updatedAt
    }
}
