import SQLCipher
import StoreBasics

/// A conversation's row number and id for readers.
enum ConversationLookup {
    /// A row of number and id. For as long as the row is held, what the connection reads is of the same
    /// moment: a conversation that was found is not gone in the next statement.
    ///
    /// - Throws: `.conversationNotFound`.
    static func row(_ reference: ConversationReference, in connection: Connection) throws(StoreError) -> Rows {
        let row =
            switch reference {
            case .id(let id): try connection.first(byID, id)
            case .session(let sessionID): try connection.first(bySession, sessionID)
            }
        guard let row else {
            throw StoreError(.conversationNotFound, "there is no such conversation; create it or check its id")
        }
        return row
    }

    private static let byID = StatementText("SELECT number, id FROM conversations WHERE id = ?1")
    private static let bySession = StatementText(
        "SELECT number, id FROM conversations WHERE session_id = ?1")
}

/// A conversation that the writer has met.
struct KnownConversation {
    let number: Int64
    let id: EntityID
    var retention = ConversationRetention()
}

/// The conversations that the writer has met, so that saving a message need not look them up again. Dropped whole when
/// full or when a group fails.
final class ConversationNumberCache: TransactionCache {
    private static let entriesMax = 4_096
    private var entries: [ConversationReference: KnownConversation] = [:]

    subscript(reference: ConversationReference) -> KnownConversation? {
        entries[reference]
    }

    func insert(_ entry: KnownConversation, for reference: ConversationReference) {
        if entries.count >= Self.entriesMax {
            entries.removeAll(keepingCapacity: true)
        }
        entries[reference] = entry
    }

    func removeAll() {
        entries.removeAll()
    }

    func committed() {}

    func rolledBack(_ extent: RollbackExtent) {
        removeAll()
    }

    func closed() {
        removeAll()
    }
}

extension ConversationWrites {
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

    /// Finds a conversation, or makes it where the reference is a session id.
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
        guard try connection.runUnlessTaken(Self.insertConversation, number, id, sessionID, displayName, now) else {
            throw StoreError(.alreadyExists, "another conversation has this id; choose another or leave it out")
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
