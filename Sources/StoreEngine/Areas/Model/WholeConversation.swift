package import StoreBasics

/// A conversation with all that the store holds of it but its messages and its draft, as archives and replication have
/// it.
package struct WholeConversation: Hashable, Sendable {
    package var id: EntityID
    package var sessionID: SessionID
    package var displayName: String?
    package var avatar: [UInt8]?
    package var isPinned: Bool
    package var isMuted: Bool
    package var retention: ConversationRetention
    package var createdAt: Timestamp
    package var updatedAt: Timestamp

    package init(
        id: EntityID, sessionID: SessionID, displayName: String?, avatar: [UInt8]?, isPinned: Bool, isMuted: Bool,
        retention: ConversationRetention, createdAt: Timestamp, updatedAt: Timestamp
    ) {
        self.id = id
        self.sessionID = sessionID
        self.displayName = displayName
        self.avatar = avatar
        self.isPinned = isPinned
        self.isMuted = isMuted
        self.retention = retention
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}

extension WholeConversation {
    var hasAvatar: Bool { !(avatar ?? []).isEmpty }

    /// As `WholeContact.isSame`.
    func isSame(as other: WholeConversation) -> Bool {
        [displayName ?? ""].haveSameBytes(as: [other.displayName ?? ""]) && avatar ?? [] == other.avatar ?? []
            && isPinned == other.isPinned && isMuted == other.isMuted && retention == other.retention
            && updatedAt == other.updatedAt
    }
}
