import SQLCipher
import StoreBasics

/// Reads and replaces whole contacts, for archives and replication.
extension ContactWrites {
    /// Saves a whole contact: replaces the stored contact that has its session id, or creates one. Does nothing if the
    /// stored contact is equal.
    func replace(_ contact: WholeContact) throws(StoreError) {
        let present = try whole(contact.sessionID)
        if let present, present.contact.isSame(as: contact) { return }
        try put(contact, over: present)
    }

    /// Replaces an existing contact, or creates one. The id and the creation time of an existing contact stay.
    ///
    /// - Parameter present: The result of `whole` for the session id.
    func put(
        _ contact: WholeContact, over present: (number: Int64, contact: WholeContact)?
    ) throws(StoreError) {
        let number: Int64
        if let present {
            number = present.number
        } else {
            number = try insert(contact)
        }
        try connection.run(
            Self.fillContact, number, contact.displayName?.nilIfEmpty,
            ContactSortKey.make(displayName: contact.displayName), contact.notes?.nilIfEmpty, contact.isBlocked,
            contact.isTrusted, contact.hasAvatar, contact.updatedAt, contact.metadata != nil)
        try LargeValueRows.contactAvatars.set(contact.avatar ?? [], of: number, connection)
        try LargeValueRows.contactMetadata.set(contact.metadata?.bytes ?? [], of: number, connection)
        if let present {
            removedContent = true
            record(.contact, .updated, id: present.contact.id.text)
        }
    }

    /// - Returns: The number of the new row.
    private func insert(_ contact: WholeContact) throws(StoreError) -> Int64 {
        let sortKey = ContactSortKey.make(displayName: nil)
        var id = contact.id
        if try !connection.runUnlessDuplicate(
            Self.insertRestoredContact, id, contact.sessionID, sortKey, contact.createdAt, contact.updatedAt)
        {
            // Another contact of this store has the id. This contact gets a new id, because only the session id
            // identifies it.
            id = .fresh()
            try connection.run(
                Self.insertRestoredContact, id, contact.sessionID, sortKey, contact.createdAt, contact.updatedAt)
        }
        let number = connection.lastInsertedRow
        statistics.contactCount += 1
        record(.contact, .created, id: id.text)
        return number
    }

    /// Returns the whole contact that has a session id, and the number of its row; `nil` if there is none.
    func whole(
        _ sessionID: SessionID
    ) throws(StoreError) -> (number: Int64, contact: WholeContact)? {
        guard let row = try connection.first(WholeContact.bySessionID, sessionID) else { return nil }
        return (row.integer(0), try WholeContact(row))
    }

    private static let insertRestoredContact = StatementText(
        "INSERT INTO contacts (id, session_id, sort_key, created_at, updated_at) VALUES (?1, ?2, ?3, ?4, ?5)")
    private static let fillContact = StatementText(
        """
        UPDATE OR FAIL contacts SET display_name = ?2, sort_key = ?3, notes = ?4, is_blocked = ?5, is_trusted = ?6,
            has_avatar = ?7, updated_at = ?8, has_metadata = ?9
        WHERE number = ?1
        """)
}

extension WholeContact {
    static let selectSQL = """
        SELECT c.number, c.id, c.session_id, c.display_name, c.notes, c.is_blocked, c.is_trusted, c.created_at,
            c.updated_at, a.data, d.data
        FROM contacts AS c LEFT JOIN contact_avatars AS a ON a.contact = c.number
        LEFT JOIN contact_metadata AS d ON d.contact = c.number
        """
    static let bySessionID = StatementText(selectSQL + " WHERE c.session_id = ?1")

    /// - Parameter row: A row of `selectSQL`.
    init(_ row: borrowing Rows) throws(StoreError) {
        self.init(
            id: try row.name(1), sessionID: try row.name(2), displayName: try row.optionalText(3),
            avatar: row.isNull(9) ? nil : row.bytes(9), notes: try row.optionalText(4), isBlocked: row.bool(5),
            isTrusted: row.bool(6), createdAt: row.timestamp(7), updatedAt: row.timestamp(8),
            metadata: row.metadata(10))
    }
}
