import ReplicaModel
import SQLCipher
import StoreBasics
import StoreCrypto

/// Messages that went with their conversation, for which there is no change: they are told by their ids.
extension ReplicaCollecting {
    /// Removes rows of messages that nobody finds any more, as many as fit a step.
    ///
    /// - Returns: whether none is left.
    func removeUnreachableMessages() throws(StoreError) -> Bool {
        var released: [ContentID] = []
        let isDone = try RowRemoval.removeMessages(slice, replica.messageRows, connection, &released)
        if !released.isEmpty {
            areas.contents.releasedContents += released
            areas.leftovers.leftRowsBehind = true
        }
        removedContent = removedContent || !isDone
        return isDone
    }

    /// - Returns: whether all are told.
    func collectUntold(_ collector: inout ReplicaCollector) throws(StoreError) -> Bool {
        var removals: [(id: String, generation: UInt64)] = []
        let rows = try connection.rows(Self.untold, EngineLimits.stepRowsMax)
        while try rows.next() {
            removals.append((try rows.text(0), rows.unsigned(1)))
        }
        for removal in removals {
            collector.add(
                .message(MessageRecord(id: removal.id, generation: removal.generation, content: nil)))
            try collector.states.forget(.reaction, beginningWith: [removal.id], connection)
            try connection.run(Self.forgetUntold, removal.id)
        }
        return removals.count < EngineLimits.stepRowsMax
    }

    private static let untold = StatementText(
        "SELECT message_id, generation FROM replica_untold_removals ORDER BY message_id LIMIT ?1")
    private static let forgetUntold = StatementText("DELETE FROM replica_untold_removals WHERE message_id = ?1")
}

/// What becomes of a message that a deleted conversation has left behind.
struct ReplicaRemovals: MessageRowListener {
    let connection: Connection

    func messageRowRemoved(at place: MessagePlace, sequence: Int64, isRecorded: Bool) throws(StoreError) {
        guard isRecorded else { return }
        try Self.note(place.id.text, connection)
    }

    /// Before its row is deleted.
    static func note(_ id: String, _ connection: Connection) throws(StoreError) {
        guard try FormerGroupRow.areMarksKept(connection) else { return }
        let mark = try ReplicaMessageRows.read(id, connection)
        guard !mark.isRemoved else { return }
        try ReplicaMessageRows.write(.removed(generation: mark.generation), of: id, connection)
        try connection.runOrInsert(update, insert, id, mark.generation)
    }

    private static let update = StatementText(
        "UPDATE OR FAIL replica_untold_removals SET generation = ?2 WHERE message_id = ?1")
    private static let insert = StatementText("INSERT INTO replica_untold_removals VALUES (?1, ?2)")
}
