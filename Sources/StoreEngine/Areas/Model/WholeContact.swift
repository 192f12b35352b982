package import StoreBasics

/// A contact with everything that the store has of it, for archives and replication.
package struct WholeContact: Hashable, Sendable {
    package var id: EntityID
    package var sessionID = SessionID(trusted: "")
    package var displayName: String?
    package var avatar: [UInt8]?
    package var notes: String?
    package var isBlocked = false
    package var isTrusted = false
    package var createdAt = Timestamp(microseconds: 0)
    package var updatedAt = Timestamp(microseconds: 0)
    package var metadata: Metadata?
}

/// An `ArchivedContact` of archives.proto.
extension WholeContact: FieldMessage {
    package init() {
        self.init(id: EntityID(trusted: ""))
    }

    package mutating func describe(_ form: inout MessageForm) throws {
        try form.field(1, &id)
        if try form.isWhole(2) { try form.field(2, &sessionID) }
        try form.field(3, &displayName)
        try form.field(4, &avatar)
        try form.field(5, &notes)
        try form.field(6, &isBlocked)
        try form.field(7, &isTrusted)
        try form.field(8, &createdAt)
        if try form.isWhole(9) { try form.field(9, &updatedAt) }
        try form.field(10, &metadata)
    }
}

extension WholeContact {
    var hasAvatar: Bool { !(avatar ?? []).isEmpty }

    /// Returns whether restoring `other` would change nothing. Ids and creation times are not compared, because
    /// restoring never changes them.
    func isSame(as other: WholeContact) -> Bool {
        let texts = [displayName ?? "", notes ?? ""]
        return texts.haveSameBytes(as: [other.displayName ?? "", other.notes ?? ""])
            && avatar ?? [] == other.avatar ?? [] && isBlocked == other.isBlocked && isTrusted == other.isTrusted
            && metadata == other.metadata && updatedAt == other.updatedAt
    }
}
