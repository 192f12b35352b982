import ReplicaModel
import SQLCipher
import StoreBasics

/// Makes logs of the store what merged records say. A log is there while it was opened behind its last removal, or
/// somebody has appended something behind that.
///
/// A log of the same name that was not opened to be replicated stays what it is. What others append waits beside it.
extension WriteSession {
    /// - Returns: about how many rows it took.
    mutating func mergeEntries(
        _ record: LogEntriesRecord, _ merge: inout ReplicaMergeStep
    ) throws(StoreError) -> Int {
        let rowCount = 1 + record.entries.count + record.entries.reduce(0) { $0 + $1.data.count } >> 10
        let removal = try merge.states.state(of: ThingName(.log, record.name), connection).removal
        guard record.entries.contains(where: { record.stamp(of: $0) > removal }) else { return rowCount }
        var log = try DeviceLogRow.find(record, ownLog: nil, connection)
        if try keep(record, in: &log, after: removal) {
            openLogs.noteMerged(log.name)
        }
        try deleteUnlessHeld(log)
        if try LogRow.find(log.name, in: connection) == nil, try DeviceLogRow.isThere(log.name, connection) {
            try makeLog(log.name, ReplicaLogValue(record.value))
        }
        return rowCount
    }

    mutating func apply(
        _ outcome: ThingState.Outcome, toLog name: LogName, _ state: ThingState
    ) throws(StoreError) {
        // What the transaction's appends displaced is not of the log any more.
        try deleteDisplacedEntries()
        let ownRemoved = outcome.isRemoved ? try removeEntries(of: name, through: state.removal) : 0
        let row = try LogRow.find(name, in: connection)
        let held = try DeviceLogRow.all(name, connection).first?.value
        let isHeld = state.isLive || held != nil
        if let row, row.isReplicated {
            let (oldest, newest) = (row.sequences?.lowerBound ?? 1, row.sequences?.upperBound ?? 0)
            guard !isHeld || ownRemoved >= oldest else { return }
            if isHeld, ownRemoved < newest {
                try connection.run(Self.moveFirst, row.number, ownRemoved + 1)
                try leaveBehind(.displacedEntries, row.number...row.number)
                openLogs.forget(name)
                removedContent = true
                return
            }
            // What was not told yet is not known to be removed.
            guard row.toldThrough >= newest else { return }
            try dropLog(row.number, name)
            if isHeld {
                try makeLog(
                    name, ReplicaLogValue(configuration: row.configuration, createdAt: row.createdAt))
            }
        } else if row == nil, isHeld, let value = outcome.changed.last?.value ?? held {
            try makeLog(name, ReplicaLogValue(value))
        }
    }

    /// The log is deleted here, and for the group: what any device has appended that is known here goes with it.
    mutating func removeFromGroup(_ name: LogName) throws(StoreError) {
        let logs = try DeviceLogRow.all(name, connection)
        if let group = try replicaMembership(), group.selection.contains(.logs, name.text) {
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
            try delete(log)
        }
    }

    /// - Returns: the last entry that was appended here and is removed; 0: none.
    private mutating func removeEntries(
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
                try delete(log)
            }
        }
        openLogs.noteMerged(name)
        return ownRemoved
    }

    /// One without entries is none.
    private mutating func deleteUnlessHeld(_ log: DeviceLogRow) throws(StoreError) {
        guard try log.newestSequence(connection) < log.oldest else { return }
        try delete(log)
    }

    private mutating func delete(_ log: DeviceLogRow) throws(StoreError) {
        try log.delete(connection)
        try leaveBehind(.deviceEntries, log.number...log.number)
        removedContent = true
    }

    private mutating func makeLog(_ name: LogName, _ value: ReplicaLogValue) throws(StoreError) {
        try makeLog(name, value.configuration, isReplicated: true, createdAt: value.createdAt)
    }
}
