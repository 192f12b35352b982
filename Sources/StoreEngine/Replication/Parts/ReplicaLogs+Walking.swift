import ReplicaModel
import SQLCipher
import StoreBasics

/// Publishes the log entries of all devices for a snapshot, with the numbers under which they were first published.
extension ReplicaLogs {
    /// - Returns: The next position; `nil` at the end.
    func publishEntries(
        of number: Int64, after sequence: Int64, _ walking: inout ReplicaWalkStep
    ) throws(StoreError) -> ReplicaWalk? {
        guard let log = try DeviceLogRow.next(after: number - 1, connection) else { return nil }
        let after = max(log.number == number ? sequence : 0, log.oldest - 1)
        var entries: [LogEntriesRecord.Entry] = []
        var (byteCount, last) = (0, after)
        let rows = try connection.rows(Self.entriesAfter, log.number, after, EngineLimits.stepRowsMax)
        while byteCount < ReplicaCollecting.replicaBatchBytes, try rows.next() {
            // End the record before an entry that has not arrived yet, because a record has no gaps.
            guard entries.isEmpty || rows.integer(0) == last + 1 else { break }
            last = rows.integer(0)
            let entry = LogEntriesRecord.Entry(
                time: rows.unsigned(1), data: rows.bytes(2), metadata: rows.metadata(3)?.bytes)
            byteCount += entry.byteCount
            entries.append(entry)
        }
        guard !entries.isEmpty else { return .logEntries(log: log.number + 1, after: 0) }
        walking.add(
            .logEntries(
                LogEntriesRecord(
                    name: log.name.text, value: log.value, device: log.device, opened: log.opened,
                    oldestSequence: UInt64(max(1, log.oldest)),
                    firstSequence: UInt64(max(1, last - Int64(entries.count) + 1)), entries: entries)))
        return .logEntries(log: log.number, after: last)
    }

    private static let entriesAfter = StatementText(
        """
        SELECT sequence, time, data, metadata FROM replica_log_entries WHERE log = ?1 AND sequence > ?2
        ORDER BY sequence LIMIT ?3
        """)
}
