package import StoreBasics

/// A conversation with everything that the store has of it, except its messages and its draft, for archives and
/// replication.
package struct WholeConversation: Hashable, Sendable {
    package var id: EntityID
    package var sessionID = SessionID(trusted: "")
    package var displayName: String?
    package var avatar: [UInt8]?
    package var isPinned = false
    package var isMuted = false
    package var retention = ConversationRetention()
    package var createdAt = Timestamp(microseconds: 0)
    package var updatedAt = Timestamp(microseconds: 0)
    package var kind: String?
    package var metadata: Metadata?
    /// The members, ordered by session id; `nil` if they are not known. Only archives have them here, because batches
    /// have a record for each member.
    package var members: [ConversationMember]?
}

/// An `ArchivedConversation` of archives.proto.
extension WholeConversation: FieldMessage {
    package init() {
        self.init(id: EntityID(trusted: ""))
    }

    package mutating func describe(_ form: inout MessageForm) throws {
        try form.field(1, &id)
        if try form.isWhole(2) { try form.field(2, &sessionID) }
        try form.field(3, &displayName)
        try form.field(4, &avatar)
        try form.field(5, &isPinned)
        try form.field(6, &isMuted)
        var kept = retention == ConversationRetention() ? nil : retention
        try form.field(7, &kept)
        retention = kept ?? ConversationRetention()
        try form.field(8, &createdAt)
        if try form.isWhole(9) { try form.field(9, &updatedAt) }
        try form.field(10, &kind)
        try form.field(11, &metadata)
        guard !form.isBody else { return }
        var all = members ?? []
        // With a second reference to the array, each member that is read would copy it.
        members = nil
        try form.field(12, &all)
        members = all
    }
}

extension WholeConversation {
    var hasAvatar: Bool { !(avatar ?? []).isEmpty }

    private func hasSameMembers(as other: WholeConversation) -> Bool {
        guard let members, let others = other.members else { return true }
        return members.elementsEqual(others) { $0.isSame(as: $1) }
    }

    /// Returns whether restoring `other` would change nothing, like `WholeContact.isSame`. Members are compared if both
    /// are known.
    func isSame(as other: WholeConversation) -> Bool {
        [displayName ?? "", kind ?? ""].haveSameBytes(as: [other.displayName ?? "", other.kind ?? ""])
            && avatar ?? [] == other.avatar ?? [] && isPinned == other.isPinned && isMuted == other.isMuted
            && retention == other.retention && metadata == other.metadata && updatedAt == other.updatedAt
            && hasSameMembers(as: other)
    }
}
