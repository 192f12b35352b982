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
