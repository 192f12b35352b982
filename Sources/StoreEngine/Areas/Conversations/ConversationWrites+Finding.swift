import SQLCipher
import StoreBasics

extension ConversationWrites {
    /// Returns an existing conversation.
    ///
    /// - Throws: `.conversationNotFound`.
    func conversation(_ reference: ConversationReference) throws(StoreError) -> KnownConversation {
        guard let found = try findConversation(reference) else {
            throw StoreError(.conversationNotFound, "there is no such conversation; create it or check its id")
        }
        return found
    }

    func findConversation(_ reference: ConversationReference) throws(StoreError) -> KnownConversation? {
        if let known = knownConversations[reference] {
            return known
        }
        let row =
            switch reference {
            case .id(let id): try connection.first(Self.conversationByID, id)
            case .session(let sessionID): try connection.first(Self.conversationBySession, sessionID)
            }
        guard let row else { return nil }
        let found = KnownConversation(
            number: row.integer(0), id: try row.name(1), retention: try row.conversationRetention(2))
        knownConversations.insert(found, for: reference)
        return found
    }

    /// Returns a conversation. Creates it if the reference is an unknown session id.
    func conversationToSaveTo(_ reference: ConversationReference) throws(StoreError) -> KnownConversation {
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

    func createConversation(
        _ sessionID: SessionID, id: EntityID?, displayName: String?
    ) throws(StoreError) -> KnownConversation {
        let id = id ?? EntityID.fresh()
        let number = Int64(nextRevision)
        guard try connection.runUnlessDuplicate(Self.insertConversation, number, id, sessionID, displayName, now) else {
            throw StoreError(.alreadyExists, "another conversation has this id; choose another id, or leave the id out")
        }
        let created = KnownConversation(number: number, id: id)
        knownConversations.insert(created, for: .session(sessionID))
        knownConversations.insert(created, for: .id(id))
        statistics.conversationCount += 1
        record(.conversation, .created, id: id.text)
        return created
    }

    private static let selectSQL = "SELECT number, id, \(ConversationRetention.columns) FROM conversations"
    private static let conversationByID = StatementText(selectSQL + " WHERE id = ?1")
    private static let conversationBySession = StatementText(selectSQL + " WHERE session_id = ?1")
    private static let insertConversation = StatementText(
        """
        INSERT INTO conversations (number, id, session_id, display_name, created_at, updated_at, last_activity_at)
        VALUES (?1, ?2, ?3, ?4, ?5, ?5, ?5)
        """)
}
