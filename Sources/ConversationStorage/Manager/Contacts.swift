import StoreClient

extension StorageManager {
    /// Creates the contact or changes what is given; `nil` leaves a field as it is.
    public func saveContact(
        sessionID: String, displayName: String? = nil, avatarData: [UInt8]? = nil, notes: String? = nil,
        isTrusted: Bool? = nil
    ) async throws(StorageError) {
        let update = ContactUpdate(
            sessionID: sessionID, displayName: displayName.map { .set($0) } ?? .keep,
            avatar: avatarData.map { .set($0) } ?? .keep, notes: notes.map { .set($0) } ?? .keep,
            isTrusted: isTrusted)
        try await storing(isSave: true) { () throws(StoreClientError) in
            try await client.saveContact(update)
        }
    }

    /// - Throws: `.contactNotFound`.
    public func getContact(
        sessionID: String, includeAvatar: Bool = false
    ) async throws(StorageError) -> Contact {
        try await storing { () throws(StoreClientError) in
            Contact(try await client.contact(sessionID: sessionID, includeAvatar: includeAvatar))
        }
    }

    /// Every contact by display name, the nameless ones last.
    public func getAllContacts() async throws(StorageError) -> [Contact] {
        try await storing { () throws(StoreClientError) in
            var all: [Contact] = []
            var cursor: String?
            repeat {
                let page = try await client.contactPage(limit: 1_000, cursor: cursor)
                all += page.contacts.map { Contact($0) }
                cursor = page.nextCursor
            } while cursor != nil
            return all
        }
    }

    /// Blocks a contact; one that is missing is created.
    public func blockContact(sessionID: String) async throws(StorageError) {
        try await storing(isSave: true) { () throws(StoreClientError) in
            try await client.blockContact(sessionID: sessionID)
        }
    }

    /// - Throws: `.contactNotFound`.
    public func unblockContact(sessionID: String) async throws(StorageError) {
        try await storing(isSave: true) { () throws(StoreClientError) in
            try await client.unblockContact(sessionID: sessionID)
        }
    }

    /// - Throws: `.contactNotFound`.
    public func deleteContact(sessionID: String) async throws(StorageError) {
        try await storing(isSave: true) { () throws(StoreClientError) in
            try await client.deleteContact(sessionID: sessionID)
        }
    }
}
