import SQLCipher
import StoreBasics

/// The part of a transaction that saves and deletes contacts.
struct ContactWrites: TransactionWork {
    let transaction: Transaction
    let listeners: AreaListeners

    func saveContact(_ contact: ContactUpdate) throws(StoreError) -> Commit {
        try FieldLimits.checkDisplayName(contact.displayName)
        try FieldLimits.checkNotes(contact.notes)
        try FieldLimits.checkAvatar(contact.avatar)
        guard let (number, id) = try findContact(contact.sessionID) else { return try createContact(contact) }
        var commit = Commit()
        commit.ids = [id]
        let contact = try whatChanges(contact, in: number)
        guard contact != ContactUpdate(sessionID: contact.sessionID, id: contact.id) else { return commit }
        try update(number, with: contact)
        removedContent = true
        record(.contact, .updated, id: id, detail: ChangeDetail(contact.fields))
        commit.updatedCount = 1
        return commit
    }

    private func createContact(_ contact: ContactUpdate) throws(StoreError) -> Commit {
        let (number, id) = try createContact(contact.sessionID, id: contact.id)
        try update(number, with: contact)
        record(.contact, .created, id: id)
        var commit = Commit()
        commit.ids = [id]
        commit.createdCount = 1
        return commit
    }

    /// Returns the update without the values that the contact already has.
    private func whatChanges(_ update: ContactUpdate, in contact: Int64) throws(StoreError) -> ContactUpdate {
        guard let row = try connection.first(Self.selectProperties, contact) else {
            throw .databaseDamaged("a contact that was just found is missing")
        }
        var update = update
        update.displayName = try update.displayName.unlessSame(as: row.optionalText(0))
        update.notes = try update.notes.unlessSame(as: row.optionalText(1))
        update.isBlocked = update.isBlocked == row.bool(2) ? nil : update.isBlocked
        update.isTrusted = update.isTrusted == row.bool(3) ? nil : update.isTrusted
        if let avatar = update.avatar,
            try LargeValueRows.contactAvatars.has(avatar, of: contact, isThere: row.bool(4), connection)
        {
            update.avatar = nil
        }
        if let metadata = update.metadata,
            try LargeValueRows.contactMetadata.has(metadata.bytes, of: contact, isThere: row.bool(5), connection)
        {
            update.metadata = nil
        }
        return update
    }

    func setContactBlocked(_ sessionID: SessionID, _ isBlocked: Bool) throws(StoreError) -> Commit {
        let found = try findContact(sessionID)
        if found == nil, !isBlocked {
            throw Self.contactNotFound
        }
        return try saveContact(ContactUpdate(sessionID: sessionID, isBlocked: isBlocked))
    }

    func deleteContact(_ sessionID: SessionID) throws(StoreError) -> Commit {
        guard let (number, id) = try findContact(sessionID) else { throw Self.contactNotFound }
        try connection.run(Self.deleteContact, number)
        try listeners.contactDeleted(sessionID)
        statistics.contactCount -= 1
        removedContent = true
        record(.contact, .deleted, id: id)
        var commit = Commit()
        commit.ids = [id]
        commit.deletedCount = 1
        return commit
    }

    private func findContact(_ sessionID: SessionID) throws(StoreError) -> (number: Int64, id: String)? {
        guard let row = try connection.first(Self.contactBySession, sessionID) else { return nil }
        return (row.integer(0), try row.text(1))
    }

    private func createContact(
        _ sessionID: SessionID, id: EntityID?
    ) throws(StoreError) -> (number: Int64, id: String) {
        let id = id ?? EntityID.fresh()
        let sortKey = ContactSortKey.make(displayName: nil)
        guard try connection.runUnlessDuplicate(Self.insertContact, id, sessionID, sortKey, now) else {
            throw StoreError(.alreadyExists, "another contact has this id; choose another id, or leave the id out")
        }
        statistics.contactCount += 1
        return (connection.lastInsertedRow, id.text)
    }

    private func update(_ number: Int64, with contact: ContactUpdate) throws(StoreError) {
        try connection.run(
            Self.updateContact, number, contact.displayName != nil, contact.displayName?.nilIfEmpty,
            ContactSortKey.make(displayName: contact.displayName), contact.notes != nil, contact.notes?.nilIfEmpty,
            contact.isBlocked, contact.isTrusted, contact.avatar.map { !$0.isEmpty }, now,
            contact.metadata.map { $0.ifSet != nil })
        if let avatar = contact.avatar {
            try LargeValueRows.contactAvatars.set(avatar, of: number, connection)
        }
        if let metadata = contact.metadata {
            try LargeValueRows.contactMetadata.set(metadata.bytes, of: number, connection)
        }
    }

    private static var contactNotFound: StoreError {
        StoreError(.contactNotFound, "there is no such contact; save it first")
    }

    private static let selectProperties = StatementText(
        "SELECT display_name, notes, is_blocked, is_trusted, has_avatar, has_metadata FROM contacts WHERE number = ?1")
    private static let contactBySession = StatementText("SELECT number, id FROM contacts WHERE session_id = ?1")
    private static let insertContact = StatementText(
        "INSERT INTO contacts (id, session_id, sort_key, created_at, updated_at) VALUES (?1, ?2, ?3, ?4, ?4)")
    private static let updateContact = StatementText(
        """
        UPDATE OR FAIL contacts SET
            display_name = CASE WHEN ?2 THEN ?3 ELSE display_name END,
            sort_key = CASE WHEN ?2 THEN ?4 ELSE sort_key END,
            notes = CASE WHEN ?5 THEN ?6 ELSE notes END,
            is_blocked = ifnull(?7, is_blocked),
            is_trusted = ifnull(?8, is_trusted),
            has_avatar = ifnull(?9, has_avatar),
            updated_at = ?10,
            has_metadata = ifnull(?11, has_metadata)
        WHERE number = ?1
        """)
    private static let deleteContact = StatementText("DELETE FROM contacts WHERE number = ?1")
}
