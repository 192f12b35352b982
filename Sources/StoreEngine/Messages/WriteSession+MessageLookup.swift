import SQLCipher
internal import StoreBasics

extension WriteSession {
    /// - Throws: `.messageNotFound`.
    func existingMessage(_ id: EntityID) throws(StoreError) -> MessageRow {
        guard let row = try connection.first(Self.messageByID, id) else { throw Self.messageNotFound }
        return try MessageRow(row)
    }

    /// - Throws: `.messageNotFound`.
    func existingHead(_ id: EntityID) throws(StoreError) -> MessageHead {
        guard let row = try connection.first(Self.headByID, id) else { throw Self.messageNotFound }
        return try MessageHead(row)
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

    private static var messageNotFound: StoreError {
        StoreError(.messageNotFound, "there is no such message; it may have been deleted")
    }

    func deleteMessage(at place: MessagePlace) throws(StoreError) {
        try connection.run(Self.deleteMessage, place)
    }

    private static let messageByID = StatementText(MessageRow.selectByID(MessageRow.columns))
    private static let headByID = StatementText(MessageRow.selectByID(MessageHead.columns))
    private static let deleteMessage = StatementText(
        "DELETE FROM messages WHERE conversation = ?1 AND timestamp = ?2 AND sequence = ?3")
}
