import FoundationEssentials
import StoreProtocol

extension Contact {
    init(_ wire: WireContact) {
        self.init(
            id: wire.id, sessionID: wire.sessionID, displayName: wire.hasDisplayName ? wire.displayName : nil,
            avatar: wire.hasAvatar ? Array(wire.avatar) : nil, hasAvatar: wire.hasAvatar_p,
            notes: wire.hasNotes ? wire.notes : nil, isBlocked: wire.isBlocked, isTrusted: wire.isTrusted,
            createdAt: Timestamp(microseconds: wire.createdAtMicroseconds),
            updatedAt: Timestamp(microseconds: wire.updatedAtMicroseconds))
    }
}

extension ContactPage {
    init(_ wire: WireListContactsResponse) {
        self.init(
            contacts: wire.contacts.map(Contact.init), nextCursor: wire.nextCursor.isEmpty ? nil : wire.nextCursor)
    }
}

extension WireSaveContactRequest {
    init(_ update: ContactUpdate) {
        self.init()
        id = update.id
        sessionID = update.sessionID
        if let name = update.displayName.wireValue(removed: "") {
            displayName = name
        }
        if let bytes = update.avatar.wireValue(removed: []) {
            avatar = Data(bytes)
        }
        if let text = update.notes.wireValue(removed: "") {
            notes = text
        }
        if let value = update.isBlocked {
            isBlocked = value
        }
        if let value = update.isTrusted {
            isTrusted = value
        }
    }
}

extension WireListContactsRequest {
    init(_ filter: ContactFilter, limit: Int, cursor: String?, includeAvatars: Bool) {
        self.init()
        self.limit = UInt32(clamping: limit)
        self.cursor = cursor ?? ""
        self.includeAvatars = includeAvatars
        if let value = filter.isBlocked {
            isBlocked = value
        }
        if let value = filter.isTrusted {
            isTrusted = value
        }
    }
}
