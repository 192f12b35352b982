import ReplicaModel
import SQLCipher
import StoreBasics

/// Merges the entries of all devices into one sequence: the next entry is always the remaining entry with the least
/// stamp.
struct MergedLog {
    /// The entries of one device, in their order.
    private struct Source {
        /// The published entries of a device; `nil` for entries of this store that are not published yet. Unpublished
        /// entries come after all others.
        let known: KnownLog?
        let log: Int64
        /// The device; `nil` for this store.
        let device: LogPlace.Device?
        var head: (sequence: Int64, time: Int64)?
    }

    private let row: LogRow
    private let connection: Connection
    private var place: LogPlace
    private var sources: [Source] = []

    init(_ row: LogRow, behind place: LogPlace, _ connection: Connection) throws(StoreError) {
        guard place.createdRevision == 0 || place.createdRevision == row.createdRevision else {
            throw StoreError(
                .logNotFound, "the log was deleted, and a new log has its name; read the new log from its start")
        }
        self.row = row
        self.connection = connection
        self.place = LogPlace(createdRevision: row.createdRevision, ownSequence: place.ownSequence)
        for known in row.isReplicated ? try KnownLog.all(row.name, connection) : [] {
            let device = known.ownLog == row.number ? nil : LogPlace.Device(device: known.device, opened: known.opened)
            if let device {
                self.place.sequences[device] = place.sequences[device]
            }
            try add(Source(known: known, log: known.number, device: device), after: known.oldest - 1)
        }
        try add(
            Source(known: nil, log: row.number, device: nil),
            after: max(row.publishedThrough, (row.sequences?.lowerBound ?? 1) - 1))
    }

    private mutating func add(_ source: Source, after sequence: Int64) throws(StoreError) {
        let read = source.device.map { place.sequences[$0] ?? 0 } ?? place.ownSequence
        var source = source
        source.head = try head(of: source, after: max(sequence, Int64(clamping: read)))
        sources.append(source)
    }

    private func head(of source: Source, after sequence: Int64) throws(StoreError) -> (sequence: Int64, time: Int64)? {
        let text = source.known == nil ? Self.nextUnsent : Self.nextKnown
        guard let row = try connection.first(text, source.log, sequence) else { return nil }
        return (row.integer(0), row.integer(1))
    }

    consuming func read(_ limit: Int, into page: inout LogPage) throws(StoreError) {
        var byteCount = 0
        while let index = next {
            guard page.entries.count < limit, byteCount < EngineLimits.logPageBytesMax else {
                page.hasMore = true
                break
            }
            let entry = try readEntry(index)
            byteCount += entry.byteCount
            page.entries.append(entry)
        }
        page.place = place
    }

    /// The source with the next entry. If two entries have the same time, the lesser device comes first, so that the
    /// order is the same on all devices.
    private var next: Int? {
        var least: Int?
        for (index, source) in sources.enumerated() {
            guard let head = source.head else { continue }
            // The sources are sorted by device, so that the earlier source wins if two times are equal.
            if let known = least.flatMap({ sources[$0].head }), known.time <= head.time { continue }
            least = index
        }
        return least
    }

    private mutating func readEntry(_ index: Int) throws(StoreError) -> LogEntry {
        let source = sources[index]
        let text = source.known == nil ? Self.unsentEntry : Self.knownEntry
        guard let head = source.head, let row = try connection.first(text, source.log, head.sequence) else {
            throw .databaseDamaged("entries of an append log are missing")
        }
        var entry = LogEntry(
            sequence: UInt64(max(0, head.sequence)), data: row.bytes(0), metadata: row.metadata(1))
        if source.known != nil {
            let milliseconds = HybridClock.milliseconds(of: UInt64(max(0, head.time)))
            entry.appendedAt = Timestamp(microseconds: Int64(clamping: milliseconds) * 1_000)
        } else {
            entry.appendedAt = row.optionalTimestamp(2)
        }
        if let device = source.device {
            entry.device = device.device
            place.sequences[device] = entry.sequence
        } else {
            place.ownSequence = entry.sequence
        }
        sources[index].head = try self.head(of: source, after: head.sequence)
        return entry
    }

    private static let nextKnown = StatementText(
        "SELECT sequence, time FROM replica_log_entries WHERE log = ?1 AND sequence > ?2 ORDER BY sequence LIMIT 1")
    private static let knownEntry = StatementText(
        "SELECT data, metadata FROM replica_log_entries WHERE log = ?1 AND sequence = ?2")
    private static let nextUnsent = StatementText(
        """
        SELECT sequence, \(Int64.max) FROM log_entries WHERE log = ?1 AND sequence > ?2 ORDER BY sequence LIMIT 1
        """)
    private static let unsentEntry = StatementText(
        "SELECT data, metadata, appended_at FROM log_entries WHERE log = ?1 AND sequence = ?2")
}

/// The published entries of one device, as replication stores them.
private struct KnownLog {
    let number: Int64
    let device: UInt64
    let opened: UInt64
    let oldest: Int64
    let ownLog: Int64?

    static func all(_ name: LogName, _ connection: Connection) throws(StoreError) -> [KnownLog] {
        var logs: [KnownLog] = []
        let rows = try connection.rows(selectAll, name)
        while try rows.next() {
            logs.append(
                KnownLog(
                    number: rows.integer(0), device: rows.device(1), opened: rows.unsigned(2),
                    oldest: try rows.count(3), ownLog: rows.optionalInteger(4)))
        }
        return logs
    }

    private static let selectAll = StatementText(
        "SELECT number, device, opened, oldest, own_log FROM replica_logs WHERE name = ?1 ORDER BY device, opened")
}
