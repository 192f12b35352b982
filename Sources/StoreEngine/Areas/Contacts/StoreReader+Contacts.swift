import SQLCipher

extension StoreReader {
    /// Returns the contact with a session id, with its avatar if requested; `nil` if no contact has the session id.
    package func contact(_ sessionID: SessionID, includeAvatar: Bool) throws(StoreError) -> Contact? {
        try read { connection throws(StoreError) in
            guard let row = try connection.first(Self.bySession, sessionID) else { return nil }
            return try Self.contact(row, includeAvatar: includeAvatar, connection)
        }
    }

    /// Returns a page of contacts. It ends before `EngineLimits.pageBytesMax` and, if it skips rows, after
    /// `EngineLimits.scanMilliseconds`. A short page may therefore be followed by others: only the last page has no
    /// cursor.
    ///
    /// - Throws: `.invalidArgument` for a limit out of range or a foreign cursor.
    package func contacts(_ query: ContactQuery) throws(StoreError) -> ContactPage {
        try PageLimit.check(query.limit)
        let start = try query.cursor.map { cursor throws(StoreError) in try NameCursor.names(cursor, count: 2) }
        return try readSnapshot { connection throws(StoreError) in
            let rows = try connection.rows(
                Self.page, start?[0] ?? "", start?[1] ?? "", query.isFiltered ? -1 : query.limit + 1)
            var scan = PageScan()
            var page = ContactPage(contacts: [], nextCursor: nil)
            var cursor: String?
            var bytes = PageBytes()
            while try rows.next() {
                guard try query.admits(rows) else {
                    cursor = NameCursor.text(try rows.text(10), try rows.text(2))
                    guard scan.mayPassRow(bytes: try query.passedBytes(rows)) else {
                        page.nextCursor = cursor
                        break
                    }
                    continue
                }
                let isBeyond = page.contacts.count == query.limit
                let contact =
                    isBeyond
                    ? nil : try Self.contact(rows, includeAvatar: query.includeAvatars, connection)
                guard let contact, bytes.admit(contact.byteCount) else {
                    page.nextCursor = cursor
                    break
                }
                cursor = NameCursor.text(try rows.text(10), contact.sessionID.text)
                page.contacts.append(contact)
            }
            return page
        }
    }

    private static func contact(
        _ row: borrowing Rows, includeAvatar: Bool, _ connection: Connection
    ) throws(StoreError) -> Contact {
        var contact = try Contact(row)
        if includeAvatar, contact.hasAvatar {
            contact.avatar = try LargeValueRows.contactAvatars.read(row.integer(0), connection)
        }
        if row.bool(11) {
            contact.metadata = try LargeValueRows.contactMetadata.read(row.integer(0), connection)
                .map(Metadata.init(stored:))
        }
        return contact
    }

    private static let selectSQL = """
        SELECT number, id, session_id, display_name, notes, is_blocked, is_trusted, has_avatar, created_at,
            updated_at, sort_key, has_metadata FROM contacts
        """
    private static let bySession = StatementText(selectSQL + " WHERE session_id = ?1")
    private static let page = StatementText(
        selectSQL + """
             WHERE sort_key >= ?1 AND (sort_key > ?1 OR session_id > ?2) ORDER BY sort_key, session_id LIMIT ?3
            """)
}

extension ContactQuery {
    fileprivate var isFiltered: Bool { isBlocked != nil || isTrusted != nil || search != nil }

    fileprivate func admits(_ row: borrowing Rows) throws(StoreError) -> Bool {
        guard isBlocked.map({ $0 == row.bool(5) }) ?? true, isTrusted.map({ $0 == row.bool(6) }) ?? true else {
            return false
        }
        guard let search else { return true }
        return try NameColumns.match(search, row)
    }

    /// Returns the number of bytes of the row's names, which the search has read; 0 without a search.
    fileprivate func passedBytes(_ row: borrowing Rows) throws(StoreError) -> Int {
        search == nil ? 0 : try NameColumns.byteCount(row)
    }
}

extension Contact {
    fileprivate init(_ row: borrowing Rows) throws(StoreError) {
        id = try row.name(1)
        sessionID = try row.name(2)
        displayName = try row.optionalText(3)
        avatar = nil
        notes = try row.optionalText(4)
        isBlocked = row.bool(5)
        isTrusted = row.bool(6)
        hasAvatar = row.bool(7)
        createdAt = row.timestamp(8)
        updatedAt = row.timestamp(9)
    }

    /// The number of bytes of the contact's texts, avatar and metadata.
    var byteCount: Int {
        let names = id.text.utf8.count + sessionID.text.utf8.count + (displayName?.utf8.count ?? 0)
        return names + (notes?.utf8.count ?? 0) + (avatar?.count ?? 0) + (metadata?.bytes.count ?? 0)
    }
}
