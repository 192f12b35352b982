import ReplicaModel
import SQLCipher
import StoreBasics

/// The part of replication that publishes and merges append logs.
struct ReplicaLogs: ReplicaPart {
    unowned let replica: ReplicaWrites
}

/// Publishes replicated logs and the entries that were appended to them here. Appends are not in the change log, so the
/// row of each log contains the number of its last published entry.
extension ReplicaLogs {
    /// Collects a log that was created, opened for replication, or deleted.
    func collectLog(_ entry: ChangeEntry, _ collector: inout ReplicaCollector) throws(StoreError) {
        guard collector.selection.contains(.logs, entry.id) else { return }
        let thing = ThingName(.log, entry.id)
        let scope = ChangeScope(changed: entry.operation == .deleted ? [] : .all)
        if let present = try replica.things.present(thing),
            let record = try collector.capture(thing, as: present, wasRemoved: false, in: scope, connection)
        {
            collector.add(.thing(record))
            return
        }
        // When a replicated log is deleted, its removal gets a stamp at once. A log that was not replicated has no
        // removal.
        let removal = try collector.states.state(of: thing, connection).removal
        guard removal > .zero else { return }
        collector.add(.thing(ThingRecord(name: thing, removal: removal)))
    }

    /// Publishes entries, as many as fit in the batch and the step.
    ///
    /// - Returns: True if no entries are left to publish.
    func collectLogs(_ collector: inout ReplicaCollector) throws(StoreError) -> Bool {
        try areas.logs.deleteDisplacedEntries()
        for log in try unsentLogs() where collector.selection.contains(.logs, log.whole.name.text) {
            var log = log
            while log.publishedThrough < log.newest {
                guard collector.payload.count < ReplicaCollecting.replicaBatchBytes,
                    collector.payload.isEmpty || !slice.isOver
                else { return false }
                try publishEntries(of: &log, &collector)
            }
        }
        return true
    }

    private struct UnsentLog {
        let number: Int64
        let whole: WholeLog
        let oldest: Int64
        let newest: Int64
        var publishedThrough: Int64
    }

    private func unsentLogs() throws(StoreError) -> [UnsentLog] {
        var logs: [UnsentLog] = []
        let rows = try connection.rows(Self.selectUnsentLogs)
        while try rows.next() {
            let configuration = LogConfiguration(maximumBytes: rows.unsigned(2), overwritesOldest: rows.bool(3))
            logs.append(
                UnsentLog(
                    number: rows.integer(0),
                    whole: WholeLog(
                        name: try rows.name(1), configuration: configuration, createdAt: rows.timestamp(4)),
                    oldest: try rows.count(5), newest: try rows.count(6), publishedThrough: try rows.count(7)))
        }
        return logs
    }

    private func publishEntries(
        of log: inout UnsentLog, _ collector: inout ReplicaCollector
    ) throws(StoreError) {
        let after = max(log.publishedThrough, log.oldest - 1)
        var record = LogEntriesRecord(
            name: log.whole.name.text, value: log.whole.body, device: collector.device,
            opened: UInt64(max(0, log.number)), oldestSequence: UInt64(max(1, log.oldest)),
            firstSequence: UInt64(after + 1))
        var known = try DeviceLogRow.find(record, ownLog: log.number, connection)
        let removal = try collector.states.state(of: ThingName(.log, record.name), connection).removal
        var time = max(try known.newestTime(connection), min(removal.time, DeviceLogRow.timeMax - 1) + 1)
        for (entry, appendedAt) in try unsentEntries(of: log.number, after: after, room: collector.room) {
            var entry = entry
            let appended = appendedAt.map { HybridClock.time(at: min($0, stampTime)) }
            time = min(max(time, appended ?? collector.stamp(after: time).time), DeviceLogRow.timeMax)
            entry.time = time
            record.entries.append(entry)
        }
        guard !record.entries.isEmpty else { throw .databaseDamaged("entries of an append log are missing") }
        try keep(record, in: &known)
        log.publishedThrough = after + Int64(record.entries.count)
        try connection.run(Self.setPublishedThrough, log.number, log.publishedThrough)
        collector.add(.logEntries(record))
    }

    /// Returns the entries for one record, at least one, still without the times of their stamps.
    private func unsentEntries(
        of log: Int64, after sequence: Int64, room: Int
    ) throws(StoreError) -> [(entry: LogEntriesRecord.Entry, appendedAt: Timestamp?)] {
        var entries: [(entry: LogEntriesRecord.Entry, appendedAt: Timestamp?)] = []
        var byteCount = 0
        let rows = try connection.rows(Self.entriesAfter, log, sequence, EngineLimits.stepRowsMax)
        while byteCount < room, try rows.next() {
            let entry = LogEntriesRecord.Entry(time: 0, data: rows.bytes(0), metadata: rows.metadata(1)?.bytes)
            byteCount += entry.byteCount
            entries.append((entry, rows.optionalTimestamp(2)))
        }
        return entries
    }

    /// Inserts entries into the row of a device's log. Entries that are already deleted are left out, and a record is
    /// ignored if its times do not fit between the times of the existing entries.
    ///
    /// - Returns: True if any entry is new.
    @discardableResult
    func keep(
        _ record: LogEntriesRecord, in log: inout DeviceLogRow, after removal: ReplicaStamp = .zero
    ) throws(StoreError) -> Bool {
        try trim(&log, to: Int64(clamping: record.oldestSequence))
        guard try log.isFollowed(by: record, connection) else { return false }
        var isNew = false
        for (index, entry) in record.entries.enumerated() {
            let sequence = Int64(clamping: record.firstSequence) + Int64(index)
            guard sequence >= log.oldest, record.stamp(of: entry) > removal else { continue }
            isNew = try log.insert(sequence, entry, connection) || isNew
        }
        return isNew
    }

    /// Deletes the entries before a number.
    func trim(_ log: inout DeviceLogRow, to oldest: Int64) throws(StoreError) {
        let gone = log.oldest..<max(log.oldest, oldest)
        guard !gone.isEmpty else { return }
        try log.raiseOldest(to: oldest, connection)
        removedContent = true
        if gone.count <= EngineLimits.stepRowsMax {
            try connection.run(Self.deleteEntries, log.number, gone.lowerBound, gone.upperBound)
        } else {
            try areas.leftovers.leaveBehind(.deviceEntries, log.number...log.number)
        }
    }

    private static let selectUnsentLogs = StatementText(
        """
        SELECT l.number, l.name, l.maximum_bytes, l.overwrites_oldest, l.created_at, o.sequence, n.sequence,
            l.told_through
        FROM logs AS l
        CROSS JOIN log_entries AS n ON n.log = l.number
            AND n.sequence = (SELECT max(sequence) FROM log_entries WHERE log = l.number)
        CROSS JOIN log_entries AS o ON o.log = l.number AND o.sequence = (
            SELECT min(sequence) FROM log_entries WHERE log = l.number AND sequence >= l.first_sequence)
        WHERE l.is_replicated = 1 AND l.told_through < n.sequence ORDER BY l.number
        """)
    private static let entriesAfter = StatementText(
        """
        SELECT data, metadata, appended_at FROM log_entries WHERE log = ?1 AND sequence > ?2 ORDER BY sequence LIMIT ?3
        """)
    private static let setPublishedThrough = StatementText(
        "UPDATE OR FAIL logs SET told_through = ?2 WHERE number = ?1")
    private static let deleteEntries = StatementText(
        "DELETE FROM replica_log_entries WHERE log = ?1 AND sequence >= ?2 AND sequence < ?3")
}

extension ReplicaCollector {
    /// The bytes that still fit in the batch; at least 1, so that every step makes progress.
    fileprivate var room: Int { max(1, ReplicaCollecting.replicaBatchBytes - payload.count) }
}
