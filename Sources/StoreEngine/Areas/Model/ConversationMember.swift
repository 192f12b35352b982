import ReplicaModel
package import StoreBasics

/// A member of a conversation, identified by its session id.
package struct ConversationMember: Hashable, Sendable {
    package var sessionID: SessionID
    package var name = ""
    package var role = ""

    package init(sessionID: SessionID, name: String = "", role: String = "") {
        self.sessionID = sessionID
        self.name = name
        self.role = role
    }

    func check() throws(StoreError) {
        try FieldLimits.check(name, named: "name of the member", bytesMax: EngineLimits.displayNameBytesMax)
        try FieldLimits.check(role, named: "role of the member", bytesMax: EngineLimits.kindBytesMax)
    }

    func isSame(as other: ConversationMember) -> Bool {
        sessionID == other.sessionID && [name, role].haveSameBytes(as: [other.name, other.role])
    }
}

/// A `ConversationMember` of members.proto. In a replicated batch it lacks the session id, because the record's name
/// contains it.
extension ConversationMember: FieldMessage {
    package init() {
        self.init(sessionID: SessionID(trusted: ""))
    }

    package mutating func describe(_ form: inout MessageForm) throws {
        if !form.isBody { try form.field(1, &sessionID) }
        try form.field(2, &name)
        try form.field(3, &role)
    }
}

/// A page of members, ordered by session id.
package struct ConversationMemberPage: Sendable {
    package var members: [ConversationMember] = []
    /// The cursor of the next page; `nil` on the last page.
    package var nextCursor: String?
}
