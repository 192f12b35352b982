import StoreBasics
import StoreEngine
import StoreProtocol

enum ContactCalls {
    static let saveContact = CallRule(.write(.contacts), .write, bytesMax: CallLimits.entityBytesMax) {
        (request: WireSaveContactRequest, _) throws(StoreError) in
        .mutation(.saveContact(try ContactUpdate(wire: request)))
    }

    static let getContact = CallRule(.read(.contacts), .read) {
        (request: WireGetContactRequest, _) throws(StoreError) in
        let sessionID = try SessionID(wire: request.sessionID)
        let includeAvatar = request.includeAvatar
        return .read(isLong: includeAvatar) { (reader, _) throws(StoreError) in
            try reader.contact(sessionID, includeAvatar: includeAvatar).map { .result(.contact(WireContact($0))) }
                ?? .failure(.contactNotFound, "there is no such contact")
        }
    }

    static let listContacts = CallRule(.read(.contacts), .read) {
        (request: WireListContactsRequest, _) throws(StoreError) in
        list(try ContactQuery(wire: request))
    }

    static func list(_ query: ContactQuery) -> Command {
        .read(isLong: true) { (reader, _) throws(StoreError) in
            .result(.contacts(WireListContactsResponse(try reader.contacts(query))))
        }
    }

    static let deleteContact = CallRule(.write(.contacts), .write) {
        (request: WireDeleteContactRequest, _) throws(StoreError) in
        .mutation(.deleteContact(try SessionID(wire: request.sessionID)))
    }

    static let setContactBlocked = CallRule(.write(.contacts), .write) {
        (request: WireSetContactBlockedRequest, _) throws(StoreError) in
        .mutation(.setContactBlocked(try SessionID(wire: request.sessionID), request.isBlocked))
    }
}
