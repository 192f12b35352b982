import ReplicaModel
import SQLCipher
import StoreBasics
import StoreCrypto

/// Publishes the removals of messages that were deleted with their conversation. The change log has no entries for
/// them, so the removals contain only ids.
extension ReplicaCollecting {
    /// Removes rows of messages whose conversation is deleted, as many as fit in a step.
    ///
    /// - Returns: True if no such rows are left.
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

    /// Collects the removals of messages that were deleted with their conversation.
    ///
    /// - Returns: True if all removals are collected.
    func collectUnsentRemovals(_ collector: inout ReplicaCollector) throws(StoreError) -> Bool {
        var removals: [(id: String, generation: UInt64)] = []
        let rows = try connection.rows(Self.selectUnsentRemovals, EngineLimits.stepRowsMax)
        while try rows.next() {
            removals.append((try rows.text(0), rows.unsigned(1)))
        }
        for removal in removals {
            collector.add(
                .message(MessageRecord(id: removal.id, generation: removal.generation, content: nil)))
            try collector.states.forget(.reaction, beginningWith: [removal.id], connection)
            try connection.run(Self.deleteUnsentRemoval, removal.id)
        }
        return removals.count < EngineLimits.stepRowsMax
    }

    private static let selectUnsentRemovals = StatementText(
        "SELECT message_id, generation FROM replica_untold_removals ORDER BY message_id LIMIT ?1")
    private static let deleteUnsentRemoval = StatementText("DELETE FROM replica_untold_removals WHERE message_id = ?1")
}

/// The listener that records the removals of messages that were deleted with their conversation, and deletes their lost
/// edits.
struct ReplicaRemovals: MessageRowListener {
    let connection: Connection

    func messageRowRemoved(at place: MessagePlace, sequence: Int64, isRecorded: Bool) throws(StoreError) {
        try LostEditRows.delete(at: .message, place.id.text, connection)
        guard isRecorded else { return }
        try Self.recordRemoval(place.id.text, connection)
    }

    /// Records the removal of a message whose row is about to be deleted.
    static func recordRemoval(_ id: String, _ connection: Connection) throws(StoreError) {
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
