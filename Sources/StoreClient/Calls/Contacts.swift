import StoreProtocol

/// Contacts. A contact that is not there is `.contactNotFound`.
extension StoreClient {
    /// Creates the contact or changes what the update names.
    ///
    /// - Throws: `.alreadyExists` where the contact is new and another one has the id.
    @discardableResult
    public func saveContact(
        _ update: ContactUpdate, idempotencyKey: IdempotencyKey = IdempotencyKey()
    ) async throws(StoreClientError) -> Commit {
        try await commit(.saveContact(WireSaveContactRequest(update)), key: idempotencyKey)
    }

    /// The contact with a session id.
    ///
    /// - Parameters:
    ///   - sessionID: the contact's.
    ///   - includeAvatar: also fetches what `Contact.avatar` holds.
    /// - Throws: `.contactNotFound`.
    public func contact(
        sessionID: String, includeAvatar: Bool = false
    ) async throws(StoreClientError) -> Contact {
        var call = WireGetContactRequest()
        call.sessionID = sessionID
        call.includeAvatar = includeAvatar
        let answered = try await answer(to: .getContact(call), .read) { result in
            if case .contact(let contact) = result { contact } else { nil }
        }
        return Contact(answered)
    }

    /// The contacts by display name, the nameless ones last.
    ///
    /// - Parameters:
    ///   - filter: which contacts; all by default.
    ///   - start: `nextCursor` of a page, to go on behind it; `nil` starts at the top.
    ///   - includeAvatars: also fetches what `Contact.avatar` holds.
    public func contacts(
        _ filter: ContactFilter = ContactFilter(), from start: String? = nil, includeAvatars: Bool = false
    ) -> PagedList<ContactPage> {
        PagedList(from: start) { (limit, cursor) throws(StoreClientError) in
            try await contactPage(filter, limit: limit, cursor: cursor, includeAvatars: includeAvatars)
        }
    }

    /// A page of contacts by display name, the nameless ones last.
    ///
    /// - Parameters:
    ///   - filter: which contacts; all by default.
    ///   - limit: 1 to 1,000.
    ///   - cursor: `nextCursor` of the page before; `nil` starts at the top.
    ///   - includeAvatars: also fetches what `Contact.avatar` holds.
    public func contactPage(
        _ filter: ContactFilter = ContactFilter(), limit: Int = 100, cursor: String? = nil,
        includeAvatars: Bool = false
    ) async throws(StoreClientError) -> ContactPage {
        let call = WireListContactsRequest(filter, limit: limit, cursor: cursor, includeAvatars: includeAvatars)
        let answered = try await answer(to: .listContacts(call), .read) { result in
            if case .contacts(let page) = result { page } else { nil }
        }
        return ContactPage(answered)
    }

    /// Deletes the contact; conversations and messages stay.
    /// - Throws: `.contactNotFound`.
    @discardableResult
    public func deleteContact(
        sessionID: String, idempotencyKey: IdempotencyKey = IdempotencyKey()
    ) async throws(StoreClientError) -> Commit {
        var call = WireDeleteContactRequest()
        call.sessionID = sessionID
        return try await commit(.deleteContact(call), key: idempotencyKey)
    }

    /// Blocks a contact; one that is missing is created.
    @discardableResult
    public func blockContact(
        sessionID: String, idempotencyKey: IdempotencyKey = IdempotencyKey()
    ) async throws(StoreClientError) -> Commit {
        try await setContactBlocked(true, sessionID: sessionID, key: idempotencyKey)
    }

    /// Unblocks a contact; one that is missing is `.contactNotFound`.
    @discardableResult
    public func unblockContact(
        sessionID: String, idempotencyKey: IdempotencyKey = IdempotencyKey()
    ) async throws(StoreClientError) -> Commit {
        try await setContactBlocked(false, sessionID: sessionID, key: idempotencyKey)
    }

    private func setContactBlocked(
        _ isBlocked: Bool, sessionID: String, key: IdempotencyKey
    ) async throws(StoreClientError) -> Commit {
        var call = WireSetContactBlockedRequest()
        call.sessionID = sessionID
        call.isBlocked = isBlocked
        return try await commit(.setContactBlocked(call), key: key)
    }
}
