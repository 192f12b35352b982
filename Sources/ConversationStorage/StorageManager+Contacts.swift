public import StoreClient

/// Contacts. One that is not there is ``StorageError/contactNotFound``; another failure is ``StorageError/failed(_:)``
/// of a read and ``StorageError/saveFailed(_:)`` of a write. When a write returns, it is on disk.
extension StorageManager {
    /// Creates the contact or changes what is given; `nil` leaves a field as it is.
    ///
    /// - Parameters:
    ///   - sessionID: the contact's, 1 to 256 bytes.
    ///   - displayName: the name shown for it; empty takes it away.
    ///   - avatarData: at most 4 MiB, in any form; empty takes it away.
    ///   - notes: at most 64 KiB; empty takes them away.
    ///   - isTrusted: whether the person has verified the contact.
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

    /// The contact of a session id.
    ///
    /// - Parameters:
    ///   - sessionID: the contact's.
    ///   - includeAvatar: whether its picture comes along.
    public func getContact(sessionID: String, includeAvatar: Bool = false) async throws(StorageError) -> Contact {
        try await reading { () throws(StoreClientError) in
            try await client.contact(sessionID: sessionID, includeAvatar: includeAvatar)
        }
    }

    /// Every contact, without its picture: by display name, the nameless ones last.
    public func getAllContacts() async throws(StorageError) -> [Contact] {
        try await reading { () throws(StoreClientError) in try await client.contacts().collect() }
    }

    /// Blocks a contact; one that is missing is created.
    public func blockContact(sessionID: String) async throws(StorageError) {
        try await saving { () throws(StoreClientError) in try await client.blockContact(sessionID: sessionID) }
    }

    /// Ends the blocking of a contact.
    public func unblockContact(sessionID: String) async throws(StorageError) {
        try await saving { () throws(StoreClientError) in try await client.unblockContact(sessionID: sessionID) }
    }

    /// Deletes a contact. The conversation with it stays.
    public func deleteContact(sessionID: String) async throws(StorageError) {
        try await saving { () throws(StoreClientError) in try await client.deleteContact(sessionID: sessionID) }
    }
}
