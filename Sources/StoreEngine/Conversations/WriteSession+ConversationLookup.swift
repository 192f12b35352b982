import SQLCipher
internal import StoreBasics

extension WriteSession {
    typealias KnownConversation = ConversationNumberCache.Entry

    /// - Throws: `.conversationNotFound`.
    mutating func conversation(_ reference: ConversationReference) throws(StoreError) -> KnownConversation {
        guard let found = try findConversation(reference) else {
            throw StoreError(.conversationNotFound, "there is no such conversation; create it or check its id")
        }
        return found
    }

    mutating func findConversation(_ reference: ConversationReference) throws(StoreError) -> KnownConversation? {
        if let known = knownConversations[reference] {
            return known
        }
        let select: Statement
        switch reference {
        case .id(let id):
            select = try statement(Self.conversationByID)
            select.bind(1, id.text)
        case .session(let sessionID):
            select = try statement(Self.conversationBySession)
            select.bind(1, sessionID.text)
        }
        defer { select.reset() }
        let found = try mapped { () throws(SQLCipherError) -> KnownConversation? in
            guard try select.step() else { return nil }
            return KnownConversation(number: select.integer(0), id: EntityID(trusted: try select.text(1)))
        }
        guard let found else {
            return nil
        }
        knownConversations.insert(found, for: reference)
        return found
    }

    /// Finds a conversation, or makes it where the reference is a session id.
    mutating func conversationToSaveTo(_ reference: ConversationReference) throws(StoreError) -> KnownConversation {
        switch reference {
        case .id:
            return try conversation(reference)
        case .session(let sessionID):
            if let found = try findConversation(reference) {
                return found
            }
            return try createConversation(sessionID, id: nil, displayName: nil)
        }
    }

    mutating func createConversation(
        _ sessionID: SessionID, id: EntityID?, displayName: String?
    ) throws(StoreError) -> KnownConversation {
        let id = id ?? EntityID.fresh()
        let insert = try statement(Self.insertConversation)
        insert.bind(1, id.text)
        insert.bind(2, sessionID.text)
        insert.bind(3, displayName)
        insert.bind(4, now.microseconds)
        do throws(SQLCipherError) {
            try insert.run()
        } catch {
            guard error.isUniqueViolation else { throw StoreError(error) }
            throw StoreError(.alreadyExists, "another conversation has this id; choose another or leave it out")
        }
        let lastRow = try statement(Self.lastInsertedRow)
        defer { lastRow.reset() }
        _ = try mapped { () throws(SQLCipherError) in try lastRow.step() }
        let created = KnownConversation(number: lastRow.integer(0), id: id)
        knownConversations.insert(created, for: .session(sessionID))
        knownConversations.insert(created, for: .id(id))
        statistics.conversationCount += 1
        record(.conversation, .created, id: id.text)
        return created
    }

    private static let conversationByID = StatementText("SELECT number, id FROM conversations WHERE id = ?1")
    private static let conversationBySession = StatementText(
        "SELECT number, id FROM conversations WHERE session_id = ?1")
    private static let lastInsertedRow = StatementText("SELECT last_insert_rowid()")
    private static let insertConversation = StatementText(
        """
        INSERT INTO conversations (id, session_id, display_name, created_at, updated_at, last_activity_at)
        VALUES (?1, ?2, ?3, ?4, ?4, ?4)
        """)
}
