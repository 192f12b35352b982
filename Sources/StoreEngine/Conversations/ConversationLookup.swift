import SQLCipher

/// A conversation's row number for readers.
enum ConversationLookup {
    /// - Throws: `.conversationNotFound`.
    static func number(_ reference: ConversationReference, in connection: Connection) throws(StoreError) -> Int64 {
        let row =
            switch reference {
            case .id(let id): try connection.first(byID, id)
            case .session(let sessionID): try connection.first(bySession, sessionID)
            }
        guard let row else {
            throw StoreError(.conversationNotFound, "there is no such conversation; create it or check its id")
        }
        return row.integer(0)
    }

    private static let byID = StatementText("SELECT number FROM conversations WHERE id = ?1")
    private static let bySession = StatementText("SELECT number FROM conversations WHERE session_id = ?1")
}
