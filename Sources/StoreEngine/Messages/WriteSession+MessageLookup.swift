import SQLCipher

extension WriteSession {
    /// - Throws: `.messageNotFound`.
    func existingMessage(_ id: EntityID) throws(StoreError) -> MessageRow {
        let select = try statement(Self.messageByID)
        select.bind(1, id.text)
        defer { select.reset() }
        guard try mapped({ () throws(SQLCipherError) in try select.step() }) else {
            throw StoreError(.messageNotFound, "there is no such message; it may have been deleted")
        }
        return MessageRow(select)
    }

    /// The messages of some ids, each once, all found before the caller writes anything.
    func existingMessages(_ ids: [EntityID]) throws(StoreError) -> [MessageRow] {
        try TextBounds.checkCount(ids.count, named: "message ids")
        var seen: Set<EntityID> = []
        var rows: [MessageRow] = []
        for id in ids where seen.insert(id).inserted {
            rows.append(try existingMessage(id))
        }
        return rows
    }

    func delete(_ row: MessageRow) throws(StoreError) {
        let delete = try statement(Self.deleteMessage)
        delete.bind(1, row.conversation)
        delete.bind(2, row.timestamp.microseconds)
        delete.bind(3, row.sequence)
        try mapped { () throws(SQLCipherError) in try delete.run() }
    }

    private static let messageByID = StatementText(
        """
        SELECT \(MessageRow.columns), c.id FROM messages AS m INDEXED BY messages_by_id
        CROSS JOIN conversations AS c ON c.number = m.conversation WHERE m.id = ?1
        """)
    private static let deleteMessage = StatementText(
        "DELETE FROM messages WHERE conversation = ?1 AND timestamp = ?2 AND sequence = ?3")
}
