import SQLCipher

/// A conversation's row number for readers.
enum ConversationLookup {
    /// - Throws: `.conversationNotFound`.
    static func number(_ reference: ConversationReference, in connection: Connection) throws(StoreError) -> Int64 {
        let found = try mapped { () throws(SQLCipherError) -> Int64? in
            let select: Statement
            switch reference {
            case .id(let id):
                select = try connection.statement(byID)
                select.bind(1, id.text)
            case .session(let sessionID):
                select = try connection.statement(bySession)
                select.bind(1, sessionID.text)
            }
            defer { select.reset() }
            return try select.step() ? select.integer(0) : nil
        }
        guard let found else {
            throw StoreError(.conversationNotFound, "there is no such conversation; create it or check its id")
        }
        return found
    }

    private static let byID = StatementText("SELECT number FROM conversations WHERE id = ?1")
    private static let bySession = StatementText("SELECT number FROM conversations WHERE session_id = ?1")
}
