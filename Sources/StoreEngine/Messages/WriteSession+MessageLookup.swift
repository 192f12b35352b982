import SQLCipher
internal import StoreBasics

extension WriteSession {
    /// - Throws: `.messageNotFound`.
    func existingMessage(_ id: EntityID) throws(StoreError) -> MessageRow {
        try existing(id, Self.messageByID, MessageRow.init)
    }

    /// - Throws: `.messageNotFound`.
    func existingHead(_ id: EntityID) throws(StoreError) -> MessageHead {
        try existing(id, Self.headByID, MessageHead.init)
    }

    /// The messages of some ids, each once, all found before the caller writes anything.
    func existingHeads(_ ids: [EntityID]) throws(StoreError) -> [MessageHead] {
        try TextBounds.checkCount(ids.count, named: "message ids")
        var seen: Set<EntityID> = []
        var heads: [MessageHead] = []
        for id in ids where seen.insert(id).inserted {
            heads.append(try existingHead(id))
        }
        return heads
    }

    private func existing<Row>(
        _ id: EntityID, _ text: StatementText, _ row: (Statement) throws(SQLCipherError) -> Row
    ) throws(StoreError) -> Row {
        let select = try statement(text)
        select.bind(1, id.text)
        defer { select.reset() }
        let found = try mapped { () throws(SQLCipherError) in try select.step() ? try row(select) : nil }
        guard let found else {
            throw StoreError(.messageNotFound, "there is no such message; it may have been deleted")
        }
        return found
    }

    func deleteMessage(conversation: Int64, timestamp: Timestamp, sequence: Int64) throws(StoreError) {
        let delete = try statement(Self.deleteMessage)
        delete.bind(1, conversation)
        delete.bind(2, timestamp.microseconds)
        delete.bind(3, sequence)
        try mapped { () throws(SQLCipherError) in try delete.run() }
    }

    private static let messageByID = StatementText(MessageRow.selectByID(MessageRow.columns))
    private static let headByID = StatementText(MessageRow.selectByID(MessageHead.columns))
    private static let deleteMessage = StatementText(
        "DELETE FROM messages WHERE conversation = ?1 AND timestamp = ?2 AND sequence = ?3")
}
