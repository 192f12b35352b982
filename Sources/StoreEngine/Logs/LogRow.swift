import DequeModule
import Interchange
import SQLCipher
import StoreBasics

/// One log as its tables have it. Nothing of it is counted anywhere: the first and last of its messages tell all.
struct LogRow {
    let number: Int64
    let name: LogName
    let configuration: LogConfiguration
    let createdAt: Timestamp
    /// The messages it holds; `nil` when it holds none.
    let sequences: ClosedRange<Int64>?
    /// Where the newest message ends in the file the log would be; the end of the header when there is none.
    let endOfNewest: UInt64
    /// Bytes of all messages ever appended, with their lengths.
    let endPosition: Int64
    private let usedBytes: UInt64

    /// `nil` when there is no such log.
    static func find(_ name: LogName, in connection: Connection) throws(StoreError) -> LogRow? {
        guard let row = try connection.first(byName, name) else { return nil }
        return try LogRow(row)
    }

    init(_ row: borrowing Rows) throws(StoreError) {
        number = row.integer(0)
        name = try row.name(1)
        configuration = LogConfiguration(
            maximumBytes: row.unsigned(2), overwritesOldest: row.bool(3))
        createdAt = row.timestamp(4)
        guard LogBounds.maximumBytes.contains(configuration.maximumBytes) else {
            throw .databaseDamaged("a log has a maximum that cannot be")
        }
        guard !row.isNull(5), row.integer(5) <= row.integer(6) else {
            sequences = nil
            endOfNewest = CacheAdvanceLayout.headerBytes
            endPosition = 0
            usedBytes = 0
            return
        }
        let stored = CacheAdvanceLayout.storedBytes(messageBytes: max(0, row.int(8)))
        let (first, last) = (row.integer(5), try row.count(6))
        let (oldest, newest) = (try row.count(9), try row.count(10))
        guard first >= 1, oldest <= newest else {
            throw .databaseDamaged("a log's messages have numbers or positions that cannot be")
        }
        sequences = first...last
        endOfNewest = UInt64(try row.count(7)) + stored
        endPosition = newest + Int64(stored)
        usedBytes = UInt64(endPosition - oldest)
    }

    /// The number of a log is the revision it was made at.
    var createdRevision: UInt64 { UInt64(max(0, number)) }

    var info: Log {
        Log(
            name: name, configuration: configuration, createdAt: createdAt,
            createdRevision: createdRevision,
            sequences: sequences.map { UInt64(max(1, $0.lowerBound))...UInt64(max(1, $0.upperBound)) },
            usedBytes: usedBytes)
    }

    static let selectSQL = """
        SELECT l.number, l.name, l.maximum_bytes, l.overwrites_oldest, l.created_at, o.sequence, n.sequence, n.offset,
            length(n.data), o.position, n.position FROM logs AS l
        LEFT JOIN log_entries AS o ON o.log = l.number
            AND o.sequence = (SELECT min(sequence) FROM log_entries WHERE log = l.number)
        LEFT JOIN log_entries AS n ON n.log = l.number
            AND n.sequence = (SELECT max(sequence) FROM log_entries WHERE log = l.number)
        """
    private static let byName = StatementText(selectSQL + " WHERE l.name = ?1")
}

/// What the writer knows of one log, so that an append reads nothing. Only as good as the transaction it was changed
/// in: a rollback drops it.
final class OpenLog {
    let number: Int64
    let configuration: LogConfiguration
    /// The oldest message that is to stay; behind the newest one when there is none.
    private(set) var oldestSequence: Int64
    private(set) var newestSequence: Int64
    private(set) var endOfNewest: UInt64
    /// Bytes of all messages ever appended, with their lengths.
    private(set) var endPosition: Int64
    /// Offsets of the messages from the oldest on: the first few of them, read ahead.
    private var offsets: Deque<UInt64> = []
    /// Rows below this one have been deleted.
    private(set) var deletedBelow: Int64

    init(_ row: LogRow) {
        number = row.number
        configuration = row.configuration
        oldestSequence = row.sequences?.lowerBound ?? 1
        newestSequence = row.sequences?.upperBound ?? 0
        endOfNewest = row.endOfNewest
        endPosition = row.endPosition
        deletedBelow = oldestSequence
    }

    /// Rows that the transaction has yet to delete.
    var hasDisplaced: Bool { deletedBelow < oldestSequence }

    func noteDeleted() {
        deletedBelow = oldestSequence
    }

    /// Takes the next message in.
    ///
    /// - Parameter readAhead: gives the offsets of the next messages from a sequence number on, at least one.
    /// - Returns: its sequence number.
    func append(
        _ placement: CacheAdvancePlacement, readAhead: (Int64) throws(StoreError) -> Deque<UInt64>
    ) throws(StoreError) -> Int64 {
        if configuration.overwritesOldest {
            try displace(placement, readAhead)
        }
        newestSequence += 1
        endOfNewest = placement.end
        endPosition += Int64(placement.end - placement.offset)
        return newestSequence
    }

    private func displace(
        _ placement: CacheAdvancePlacement, _ readAhead: (Int64) throws(StoreError) -> Deque<UInt64>
    ) throws(StoreError) {
        while oldestSequence <= newestSequence {
            if offsets.isEmpty {
                offsets = try readAhead(oldestSequence)
            }
            guard let oldest = offsets.first else { throw .databaseDamaged("a log lacks messages it counts") }
            guard placement.displaces(oldest) else { return }
            offsets.removeFirst()
            oldestSequence += 1
        }
    }
}

/// The logs the writer has met. Lives on the writer thread; dropped whole when full, when a transaction is rolled
/// back and when the store is closed.
final class OpenLogs {
    private static let logsMax = 1_024

    private var logs: [LogName: OpenLog] = [:]
    /// Logs of the current transaction with rows to delete or messages to tell of.
    private(set) var touched: [LogName: OpenLog] = [:]

    subscript(name: LogName) -> OpenLog? { logs[name] }

    func insert(_ log: OpenLog, for name: LogName) {
        if logs.count >= Self.logsMax {
            logs = touched
        }
        logs[name] = log
    }

    func touch(_ log: OpenLog, _ name: LogName) {
        touched[name] = log
    }

    func remove(_ name: LogName) {
        logs[name] = nil
        touched[name] = nil
    }

    /// The transaction is over; what it did stays known.
    func committed() -> [LogName] {
        guard !touched.isEmpty else { return [] }
        defer { touched.removeAll(keepingCapacity: true) }
        return Array(touched.keys)
    }

    func removeAll() {
        logs.removeAll()
        touched.removeAll()
    }
}
