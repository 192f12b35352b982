import SQLCipher
internal import StoreBasics

extension StoreReader {
    /// - Returns: `nil` when there is no such contact.
    package func contact(_ sessionID: SessionID, includeAvatar: Bool) throws(StoreError) -> Contact? {
        try read { connection throws(StoreError) in
            try mapped { () throws(SQLCipherError) in
                let select = try connection.statement(Self.bySession)
                select.bind(1, sessionID.text)
                defer { select.reset() }
                guard try select.step() else { return nil }
                return try Self.contact(select, includeAvatar: includeAvatar, connection)
            }
        }
    }

    /// A page of the list. It ends before `EngineLimits.pageBytesMax`: it is the last one only when it has no cursor.
    ///
    /// - Throws: `.invalidArgument` for a limit out of range or a foreign cursor.
    package func contacts(_ query: ContactQuery) throws(StoreError) -> ContactPage {
        try PageLimit.check(query.limit)
        let start = try query.cursor.map(ContactCursor.init) ?? ContactCursor(sortKey: "", sessionID: "")
        return try readSnapshot { connection throws(StoreError) in
            try mapped { () throws(SQLCipherError) in
                let select = try connection.statement(Self.page)
                select.bind(1, start.sortKey)
                select.bind(2, start.sessionID)
                select.bind(3, query.isBlocked.map { $0 ? 1 : 0 })
                select.bind(4, query.isTrusted.map { $0 ? 1 : 0 })
                select.bind(5, query.limit + 1)
                defer { select.reset() }
                return try Self.collect(select, query, connection)
            }
        }
    }

    private static func collect(
        _ select: Statement, _ query: ContactQuery, _ connection: Connection
    ) throws(SQLCipherError) -> ContactPage {
        var page = ContactPage(contacts: [], nextCursor: nil)
        var last: ContactCursor?
        var bytes = PageBytes()
        while try select.step() {
            guard page.contacts.count < query.limit else {
                page.nextCursor = last?.text
                break
            }
            let contact = try contact(select, includeAvatar: query.includeAvatars, connection)
            guard bytes.admit(contact.byteCount) else {
                page.nextCursor = last?.text
                break
            }
            last = ContactCursor(sortKey: try select.text(10), sessionID: contact.sessionID.text)
            page.contacts.append(contact)
        }
        return page
    }

    private static func contact(
        _ row: Statement, includeAvatar: Bool, _ connection: Connection
    ) throws(SQLCipherError) -> Contact {
        var contact = try Contact(row)
        if includeAvatar, contact.hasAvatar {
            contact.avatar = try avatar(of: row.integer(0), avatarText, connection)
        }
        return contact
    }

    private static let selectSQL = """
        SELECT number, id, session_id, display_name, notes, is_blocked, is_trusted, has_avatar, created_at,
            updated_at, sort_key FROM contacts
        """
    private static let bySession = StatementText(selectSQL + " WHERE session_id = ?1")
    private static let page = StatementText(
        selectSQL + """
             WHERE sort_key >= ?1 AND (sort_key > ?1 OR session_id > ?2)
                AND (?3 IS NULL OR is_blocked = ?3) AND (?4 IS NULL OR is_trusted = ?4)
            ORDER BY sort_key, session_id LIMIT ?5
            """)
    private static let avatarText = StatementText("SELECT data FROM contact_avatars WHERE contact = ?1")
}

extension Contact {
    init(_ row: Statement) throws(SQLCipherError) {
        id = EntityID(trusted: try row.text(1))
        sessionID = SessionID(trusted: try row.text(2))
        displayName = try row.optionalText(3)
        avatar = nil
        notes = try row.optionalText(4)
        isBlocked = row.bool(5)
        isTrusted = row.bool(6)
        hasAvatar = row.bool(7)
        createdAt = Timestamp(microseconds: row.integer(8))
        updatedAt = Timestamp(microseconds: row.integer(9))
    }
}

/// A place in the list of contacts.
struct ContactCursor {
    let sortKey: String
    let sessionID: String

    init(sortKey: String, sessionID: String) {
        self.sortKey = sortKey
        self.sessionID = sessionID
    }

    init(_ text: String) throws(StoreError) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let sortKey = HexText.decode(parts[0]), let sessionID = HexText.decode(parts[1])
        else {
            throw .invalidArgument("the cursor is not one the daemon gave; start again without it")
        }
        self.init(sortKey: sortKey, sessionID: sessionID)
    }

    var text: String {
        HexText.encode(sortKey) + "." + HexText.encode(sessionID)
    }
}
