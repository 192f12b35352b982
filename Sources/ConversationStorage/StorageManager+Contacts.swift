public import StoreClient

/// Contacts. If a contact does not exist, the functions throw ``StorageError/contactNotFound``. Other errors are
/// ``StorageError/failed(_:)`` for reads and ``StorageError/saveFailed(_:)`` for writes. A change is on disk when the
/// function returns.
extension StorageManager {
    /// Creates a contact, or changes the given fields of an existing one. `nil` leaves a field unchanged.
    ///
    /// - Parameters:
    ///   - sessionID: the contact's session id, 1 to 256 bytes.
    ///   - displayName: the displayed name; an empty text removes it.
    ///   - avatarData: the picture, at most 4 MiB in any format; empty data removes it.
    ///   - notes: at most 64 KiB; an empty text removes them.
    ///   - isTrusted: true if the person has verified the contact.
    public func saveContact(
        sessionID: String, displayName: String? = nil, avatarData: [UInt8]? = nil, notes: String? = nil,
        isTrusted: Bool? = nil
    ) async throws(StorageError) {
        let update = ContactUpdate(
            sessionID: sessionID, displayName: displayName.map { .set($0) } ?? .keep,
            avatar: avatarData.map { .set($0) } ?? .keep, notes: notes.map { .set($0) } ?? .keep,
            isTrusted: isTrusted)
        try await saving { () throws(StoreClientError) in try await client.saveContact(update) }
    }

    /// Returns the contact with a session id.
    ///
    /// - Parameters:
    ///   - sessionID: the contact's session id.
    ///   - includeAvatar: if true, the contact includes its picture.
    public func getContact(sessionID: String, includeAvatar: Bool = false) async throws(StorageError) -> Contact {
        try await reading { () throws(StoreClientError) in
            try await client.contact(sessionID: sessionID, includeAvatar: includeAvatar)
        }
    }

    /// Returns all contacts without their pictures, ordered by display name, with nameless ones last.
    public func getAllContacts() async throws(StorageError) -> [Contact] {
        try await reading { () throws(StoreClientError) in try await client.contacts().collect() }
    }

    /// Blocks a contact; creates it if it does not exist.
    public func blockContact(sessionID: String) async throws(StorageError) {
        try await saving { () throws(StoreClientError) in try await client.blockContact(sessionID: sessionID) }
    }

    /// Unblocks a contact.
    public func unblockContact(sessionID: String) async throws(StorageError) {
        try await saving { () throws(StoreClientError) in try await client.unblockContact(sessionID: sessionID) }
    }

    /// Deletes a contact. The conversation with the contact stays in the store.
    public func deleteContact(sessionID: String) async throws(StorageError) {
        try await saving { () throws(StoreClientError) in try await client.deleteContact(sessionID: sessionID) }
    }
}
