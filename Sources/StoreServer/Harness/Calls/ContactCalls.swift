import FoundationEssentials
import StoreBasics
import StoreEngine
import StoreProtocol
import SwiftProtobuf

enum ContactCalls {
    static let saveContact = CallRule(.write(.contacts), .write, bytesMax: CallLimits.entityBytesMax) {
        (request: WireSaveContactRequest, _) throws(RequestFailure) in
        .mutation(
            .saveContact(
                ContactUpdate(
                    sessionID: try SessionID(wire: request.sessionID), id: try EntityID.given(request.id),
                    displayName: request.hasDisplayName ? request.displayName : nil,
                    avatar: request.hasAvatar ? [UInt8](request.avatar) : nil,
                    notes: request.hasNotes ? request.notes : nil,
                    isBlocked: request.hasIsBlocked ? request.isBlocked : nil,
                    isTrusted: request.hasIsTrusted ? request.isTrusted : nil)))
    }

    static let getContact = CallRule(.read(.contacts), .read) {
        (request: WireGetContactRequest, _) throws(RequestFailure) in
        let sessionID = try SessionID(wire: request.sessionID)
        let includeAvatar = request.includeAvatar
        return .read(
            Read(isLong: includeAvatar) { (reader, _) throws(StoreError) in
                try reader.contact(sessionID, includeAvatar: includeAvatar).map { .result(.contact(WireContact($0))) }
                    ?? .failure(.contactNotFound, "there is no such contact")
            })
    }

    static let listContacts = CallRule(.read(.contacts), .read) {
        (request: WireListContactsRequest, _) throws(RequestFailure) in
        let query = ContactQuery(
            limit: try request.limit.asLimit(), cursor: request.cursor.ifGiven,
            isBlocked: request.hasIsBlocked ? request.isBlocked : nil,
            isTrusted: request.hasIsTrusted ? request.isTrusted : nil, includeAvatars: request.includeAvatars)
        return list(query)
    }

    static func list(_ query: ContactQuery) -> Command {
        .read(
            Read(isLong: true) { (reader, _) throws(StoreError) in
                let page = try reader.contacts(query)
                return .result(
                    .contacts(
                        .with {
                            $0.contacts = page.contacts.map { WireContact($0) }
                            $0.nextCursor = page.nextCursor ?? ""
                        }))
            })
    }

    static let deleteContact = CallRule(.write(.contacts), .write) {
        (request: WireDeleteContactRequest, _) throws(RequestFailure) in
        .mutation(.deleteContact(try SessionID(wire: request.sessionID)))
    }

    static let setContactBlocked = CallRule(.write(.contacts), .write) {
        (request: WireSetContactBlockedRequest, _) throws(RequestFailure) in
        .mutation(.setContactBlocked(try SessionID(wire: request.sessionID), request.isBlocked))
    }
}

extension WireContact {
    fileprivate init(_ contact: Contact) {
        self.init()
        id = contact.id.text
        sessionID = contact.sessionID.text
        if let displayName = contact.displayName {
            self.displayName = displayName
        }
        if let avatar = contact.avatar {
            self.avatar = Data(avatar)
        }
        hasAvatar_p = contact.hasAvatar
        if let notes = contact.notes {
            self.notes = notes
        }
        isBlocked = contact.isBlocked
        isTrusted = contact.isTrusted
        createdAtMicroseconds = contact.createdAt.microseconds
        updatedAtMicroseconds = contact.updatedAt.microseconds
    }
}
