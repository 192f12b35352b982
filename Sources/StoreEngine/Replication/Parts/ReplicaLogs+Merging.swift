import ReplicaModel
import SQLCipher
import StoreBasics

/// Changes the logs of the store as merged records say. A log exists if it was opened after its last removal, or if an
/// entry was appended after that removal.
///
/// A log of the same name that is not replicated stays as it is. Entries of other devices are kept separately.
extension ReplicaLogs {
    /// - Returns: The approximate number of rows that changed.
    func mergeEntries(
        _ record: LogEntriesRecord, _ merge: inout ReplicaMergeStep
    ) throws(StoreError) -> Int {
        let rowCount = 1 + record.entries.count + record.entries.reduce(0) { $0 + $1.byteCount } >> 10
        let removal = try merge.states.state(of: ThingName(.log, record.name), connection).removal
        guard record.entries.contains(where: { record.stamp(of: $0) > removal }) else { return rowCount }
        var log = try DeviceLogRow.find(record, ownLog: nil, connection)
        if try keep(record, in: &log, after: removal) {
            areas.logs.openLogs.recordMerged(log.name)
        }
        try deleteUnlessHeld(log)
        if try LogRow.find(log.name, in: connection) == nil, try DeviceLogRow.isThere(log.name, connection) {
            try makeLog(log.name, WholeLog(body: record.value))
        }
        return rowCount
    }

    func apply(
        _ outcome: ThingState.Outcome, toLog name: LogName, _ state: ThingState
    ) throws(StoreError) {
        // Entries that the appends of the transaction displaced do not belong to the log any more.
        try areas.logs.deleteDisplacedEntries()
        let ownRemoved = outcome.isRemoved ? try removeEntries(of: name, through: state.removal) : 0
        let row = try LogRow.find(name, in: connection)
        let held = try DeviceLogRow.all(name, connection).first?.value
        let isHeld = state.isLive || held != nil
        if let row, row.isReplicated {
            let (oldest, newest) = (row.sequences?.lowerBound ?? 1, row.sequences?.upperBound ?? 0)
            guard !isHeld || ownRemoved >= oldest else { return }
            if isHeld, ownRemoved < newest {
                try connection.run(AppendLogWrites.moveFirst, row.number, ownRemoved + 1)
                try areas.leftovers.leaveBehind(.displacedEntries, row.number...row.number)
                areas.logs.openLogs.forget(name)
                removedContent = true
                return
            }
            // Keep a log with entries that are not published yet, because the removal does not cover them.
            guard row.publishedThrough >= newest else { return }
            try areas.logs.dropLog(row.number, name)
            if isHeld {
                try makeLog(name, row.whole)
            }
        } else if row == nil, isHeld, let value = outcome.valueChange?.value ?? held {
            try makeLog(name, WholeLog(body: value))
        }
    }

    /// Removes the entries that a removal covers.
    ///
    /// - Returns: The last removed entry that was appended here; 0 for none.
    private func removeEntries(
        of name: LogName, through removal: ReplicaStamp
    ) throws(StoreError) -> Int64 {
        var ownRemoved: Int64 = 0
        for log in try DeviceLogRow.all(name, connection) {
            var log = log
            let before = log.oldest
            if let first = try log.firstEntry(after: removal, connection) {
                try trim(&log, to: first)
                ownRemoved = log.ownLog != nil && first > before ? first - 1 : ownRemoved
            } else {
                ownRemoved = log.ownLog != nil ? try log.newestSequence(connection) : ownRemoved
                try areas.leftovers.delete(log)
            }
        }
        areas.logs.openLogs.recordMerged(name)
        return ownRemoved
    }

    /// Deletes the row of a device's log if it has no entries.
    private func deleteUnlessHeld(_ log: DeviceLogRow) throws(StoreError) {
        guard try log.newestSequence(connection) < log.oldest else { return }
        try areas.leftovers.delete(log)
    }

    private func makeLog(_ name: LogName, _ log: WholeLog) throws(StoreError) {
        try areas.logs.makeLog(name, log.configuration, isReplicated: true, createdAt: log.createdAt)
    }
}
