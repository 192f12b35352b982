import SQLCipher
internal import StoreBasics

extension WriteSession {
    mutating func saveContact(_ contact: ContactUpdate) throws(StoreError) -> Commit {
        try TextBounds.checkDisplayName(contact.displayName)
        try TextBounds.checkNotes(contact.notes)
        try TextBounds.checkAvatar(contact.avatar)
        var commit = Commit()
        let found = try findContact(contact.sessionID)
        let (number, id): (Int64, String)
        if let found {
            (number, id) = found
            commit.updatedCount = 1
        } else {
            (number, id) = try createContact(contact.sessionID, id: contact.id)
            commit.createdCount = 1
        }
        try update(number, with: contact)
        if let avatar = contact.avatar {
            try mapped { () throws(SQLCipherError) in
                try setAvatar(avatar, of: number, delete: Self.deleteAvatar, insert: Self.insertAvatar)
            }
        }
        record(.contact, found == nil ? .created : .updated, id: id)
        commit.ids = [id]
        return commit
    }

    mutating func setContactBlocked(_ sessionID: SessionID, _ isBlocked: Bool) throws(StoreError) -> Commit {
        let found = try findContact(sessionID)
        if found == nil, !isBlocked {
            throw Self.contactNotFound
        }
        return try saveContact(ContactUpdate(sessionID: sessionID, isBlocked: isBlocked))
    }

    mutating func deleteContact(_ sessionID: SessionID) throws(StoreError) -> Commit {
        guard let (number, id) = try findContact(sessionID) else {
            throw Self.contactNotFound
        }
        let delete = try statement(Self.deleteContact)
        delete.bind(1, number)
        try mapped { () throws(SQLCipherError) in try delete.run() }
        statistics.contactCount -= 1
        removedContent = true
        record(.contact, .deleted, id: id)
        var commit = Commit()
        commit.ids = [id]
        commit.deletedCount = 1
        return commit
    }

    private func findContact(_ sessionID: SessionID) throws(StoreError) -> (number: Int64, id: String)? {
        let select = try statement(Self.contactBySession)
        select.bind(1, sessionID.text)
        defer { select.reset() }
        return try mapped { () throws(SQLCipherError) in
            try select.step() ? (select.integer(0), try select.text(1)) : nil
        }
    }

    private mutating func createContact(
        _ sessionID: SessionID, id: EntityID?
    ) throws(StoreError) -> (number: Int64, id: String) {
        let id = id ?? EntityID.fresh()
        let insert = try statement(Self.insertContact)
        insert.bind(1, id.text)
        insert.bind(2, sessionID.text)
        insert.bind(3, ContactSortKey.make(displayName: nil))
        insert.bind(4, now.microseconds)
        do throws(SQLCipherError) {
            try insert.run()
        } catch {
            guard error.isUniqueViolation else { throw StoreError(error) }
            throw StoreError(.alreadyExists, "another contact has this id; choose another or leave it out")
        }
        statistics.contactCount += 1
        guard let created = try findContact(sessionID) else {
            throw StoreError(.internal, "a contact that was just written cannot be read back")
        }
        return created
    }

    private func update(_ number: Int64, with contact: ContactUpdate) throws(StoreError) {
        let update = try statement(Self.updateContact)
        update.bind(1, number)
        update.bind(2, contact.displayName != nil)
        update.bind(3, contact.displayName?.nilIfEmpty)
        update.bind(4, ContactSortKey.make(displayName: contact.displayName))
        update.bind(5, contact.notes != nil)
        update.bind(6, contact.notes?.nilIfEmpty)
        update.bind(7, contact.isBlocked.map { $0 ? 1 : 0 })
        update.bind(8, contact.isTrusted.map { $0 ? 1 : 0 })
        update.bind(9, contact.avatar.map { $0.isEmpty ? 0 : 1 })
        update.bind(10, now.microseconds)
        try mapped { () throws(SQLCipherError) in try update.run() }
    }

    private static var contactNotFound: StoreError {
        StoreError(.contactNotFound, "there is no such contact; save it first")
    }

    private static let contactBySession = StatementText("SELECT number, id FROM contacts WHERE session_id = ?1")
    private static let insertContact = StatementText(
        "INSERT INTO contacts (id, session_id, sort_key, created_at, updated_at) VALUES (?1, ?2, ?3, ?4, ?4)")
    private static let updateContact = StatementText(
        """
        UPDATE contacts SET
            display_name = CASE WHEN ?2 THEN ?3 ELSE display_name END,
            sort_key = CASE WHEN ?2 THEN ?4 ELSE sort_key END,
            notes = CASE WHEN ?5 THEN ?6 ELSE notes END,
            is_blocked = ifnull(?7, is_blocked),
            is_trusted = ifnull(?8, is_trusted),
            has_avatar = ifnull(?9, has_avatar),
            updated_at = ?10
        WHERE number = ?1
        """)
    private static let deleteContact = StatementText("DELETE FROM contacts WHERE number = ?1")
    private static let deleteAvatar = StatementText("DELETE FROM contact_avatars WHERE contact = ?1")
    private static let insertAvatar = StatementText("INSERT INTO contact_avatars VALUES (?1, ?2)")
}
