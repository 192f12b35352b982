import ReplicaModel
import SQLCipher
import StoreBasics

/// The listener that marks what applications change in a store that keeps stamps. The marks show which values the next
/// batch for the group has to contain.
final class ReplicaChangeTracker: TransactionWork, AreaListener {
    let transaction: Transaction
    private let leftovers: Leftovers

    init(_ transaction: Transaction, _ leftovers: Leftovers) {
        self.transaction = transaction
        self.leftovers = leftovers
    }

    /// Marks a message whose content an application changed, or whose status or read flag it set back.
    ///
    /// - Returns: True if marks are kept and the content was changed.
    func messageReplaced(_ old: MessageRow, by row: MessageRow) throws(StoreError) -> Bool {
        guard try FormerGroupRow.areMarksKept(connection) else { return false }
        let isChanged = !WholeMessage.haveSameBody(old, row) || old.attachments != row.attachments
        let stepsBack = old.isRead && !row.isRead || row.status.replicaStep < old.status.replicaStep
        if isChanged || stepsBack {
            try changeMark(of: row.id.text, isChanged: isChanged, stepsBack: stepsBack)
        }
        return isChanged
    }

    /// Marks a message whose text was edited.
    func messageEdited(_ id: EntityID) throws(StoreError) {
        guard try FormerGroupRow.areMarksKept(connection) else { return }
        try changeMark(of: id.text, isChanged: true, stepsBack: false)
    }

    /// Marks the messages for which the new status is a step back, such as from "delivered" to "sent".
    func statusGiven(_ status: MessageStatus, to heads: [MessageHead]) throws(StoreError) {
        guard heads.contains(where: { status.replicaStep < $0.status.replicaStep }),
            try FormerGroupRow.areMarksKept(connection)
        else { return }
        for head in heads where status.replicaStep < head.status.replicaStep {
            try changeMark(of: head.id.text, isChanged: false, stepsBack: true)
        }
    }

    private func changeMark(of id: String, isChanged: Bool, stepsBack: Bool) throws(StoreError) {
        let known = try ReplicaMessageRows.read(id, connection)
        var mark = known
        mark.isChanged = mark.isChanged || isChanged
        if stepsBack {
            mark.restart()
        }
        try ReplicaMessageRows.write(mark, insteadOf: known, of: id, connection)
    }

    func messageDeleted(_ id: EntityID) throws(StoreError) {
        try LostEditRows.delete(at: .message, id.text, connection)
    }

    func contactDeleted(_ sessionID: SessionID) throws(StoreError) {
        try LostEditRows.delete(at: .contactNotes, sessionID.text, connection)
    }

    func conversationDeleted(_ number: Int64) throws(StoreError) {
        guard let sessionID = try ReplicaCollecting.sessionID(of: number, connection) else { return }
        try LostEditRows.delete(at: .draft, sessionID, connection)
    }

    func unreachableMessageRemoved(_ id: EntityID, isRecorded: Bool) throws(StoreError) {
        try messageDeleted(id)
        guard isRecorded else { return }
        try ReplicaRemovals.recordRemoval(id.text, connection)
    }

    /// Returns true if the removals of the conversation's messages must be recorded, because the group may know of the
    /// conversation. For a store outside a group, its last group decides. If the store was never in a group, the result
    /// is true.
    func needsRemovals(inConversation number: Int64) throws(StoreError) -> Bool {
        guard let group = try FormerGroupRow.current(connection), !group.selection.containsAll(.conversations),
            let sessionID = try ReplicaCollecting.sessionID(of: number, connection)
        else { return true }
        return group.selection.contains(.conversations, sessionID)
    }

    /// Records that an application deleted the log. The deletion also covers the entries of other devices that are
    /// known here, so its stamp is later than the stamps of these entries.
    func appendLogDeleted(_ name: LogName) throws(StoreError) {
        let logs = try DeviceLogRow.all(name, connection)
        if let group = try FormerGroupRow.current(connection), group.selection.contains(.logs, name.text) {
            let thing = ThingName(.log, name.text)
            var state = try ReplicaThingRows.read(thing, connection) ?? ThingState()
            var newest = state.newestTime
            for log in logs {
                newest = max(newest, try log.newestTime(connection))
            }
            let time = group.clock.time(after: newest, ofChangeAt: stampTime)
            state.remove(at: ReplicaStamp(time: time, device: group.device))
            try ReplicaThingRows.write(state, of: thing, connection)
        }
        for log in logs {
            try leftovers.delete(log)
        }
    }
}

extension Leftovers {
    /// Deletes a row of `replica_logs`. Background maintenance later removes the entries that belong to it.
    func delete(_ log: DeviceLogRow) throws(StoreError) {
        try log.delete(connection)
        try leaveBehind(.deviceEntries, log.number...log.number)
        removedContent = true
    }
}
