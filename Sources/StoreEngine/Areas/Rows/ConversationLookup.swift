import SQLCipher
import StoreBasics

/// Finds the row number and the id of a conversation, for readers.
enum ConversationLookup {
    /// Returns a row with the number and the id of a conversation. As long as the row exists, the connection reads the
    /// same snapshot, so the conversation cannot disappear before the next statement.
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

    /// Returns the row of a conversation that exists in the snapshot.
    static func row(number: Int64, in connection: Connection) throws(StoreError) -> Rows {
        guard let row = try connection.first(byNumber, number) else {
            throw .databaseDamaged("the row of a conversation is missing")
        }
        return row
    }

    private static let byNumber = StatementText("SELECT number, id FROM conversations WHERE number = ?1")
    private static let byID = StatementText("SELECT number, id FROM conversations WHERE id = ?1")
    private static let bySession = StatementText(
        "SELECT number, id FROM conversations WHERE session_id = ?1")
}

/// A conversation as the writer caches it.
struct KnownConversation {
    let number: Int64
    let id: EntityID
    var retention = ConversationRetention()
}

/// The conversations that the writer has used recently, so that saving a message does not look them up again. All are
/// discarded when there are too many, or when a transaction is rolled back.
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
