internal import StoreEngine
internal import StoreProtocol

extension RequestDecoder {
    static func decodeContacts(
        _ kind: CallKind, _ call: UnsafeRawBufferPointer
    ) throws(RequestFailure) -> Command {
        switch kind {
        case .saveContact:
            return .mutation(.saveContact(try contactUpdate(try parse(WireSaveContactRequest.self, call))))
        case .getContact:
            let request = try parse(WireGetContactRequest.self, call)
            let sessionID = try sessionID(request.sessionID)
            return request.includeAvatar
                ? .listRead(.contactWithAvatar(sessionID)) : .pointRead(.contact(sessionID))
        case .listContacts:
            let request = try parse(WireListContactsRequest.self, call)
            let query = ContactQuery(
                limit: try limit(request.limit), cursor: request.cursor.isEmpty ? nil : request.cursor,
                isBlocked: request.hasIsBlocked ? request.isBlocked : nil,
                isTrusted: request.hasIsTrusted ? request.isTrusted : nil, includeAvatars: request.includeAvatars)
            return .listRead(.contacts(query))
        case .deleteContact:
            return .mutation(.deleteContact(try sessionID(try parse(WireDeleteContactRequest.self, call).sessionID)))
        case .setContactBlocked:
            let request = try parse(WireSetContactBlockedRequest.self, call)
            return .mutation(.setContactBlocked(try sessionID(request.sessionID), request.isBlocked))
        default:
            preconditionFailure("\(kind) is not a call on contacts")
        }
    }

    private static func contactUpdate(_ wire: WireSaveContactRequest) throws(RequestFailure) -> ContactUpdate {
        ContactUpdate(
            sessionID: try sessionID(wire.sessionID), id: try optionalID(wire.id),
            displayName: wire.hasDisplayName ? wire.displayName : nil,
            avatar: wire.hasAvatar ? [UInt8](wire.avatar) : nil, notes: wire.hasNotes ? wire.notes : nil,
            isBlocked: wire.hasIsBlocked ? wire.isBlocked : nil, isTrusted: wire.hasIsTrusted ? wire.isTrusted : nil)
    }
}
