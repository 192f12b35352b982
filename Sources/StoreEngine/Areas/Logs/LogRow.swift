import DequeModule
import Interchange
import SQLCipher
import StoreBasics

/// A log as its tables contain it. No counts are stored, because the first and the last entry determine them.
struct LogRow {
    let number: Int64
    let name: LogName
    let configuration: LogConfiguration
    let createdAt: Timestamp
    /// The sequence numbers of the log's entries; `nil` without entries.
    let sequences: ClosedRange<Int64>?
    /// The offset at which the newest entry would end if the log were a CacheAdvance file
    /// (`LogConfiguration.maximumBytes`). Without entries, the end of the header.
    let endOfNewest: UInt64
    /// The number of bytes of all entries that were ever appended.
    let endPosition: Int64
    private let usedBytes: UInt64
    /// True if the entries are published to the replica group.
    let isReplicated: Bool
    /// The sequence number up to which entries are published to the group.
    let publishedThrough: Int64

    /// The log in the form for archives and replication.
    var whole: WholeLog {
        WholeLog(name: name, configuration: configuration, isReplicated: isReplicated, createdAt: createdAt)
    }

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
        isReplicated = row.bool(12)
        publishedThrough = try row.count(13)
        guard LogBounds.maximumBytes.contains(configuration.maximumBytes) else {
            throw .databaseDamaged("an append log has an impossible maximum size")
        }
        guard !row.isNull(5) else {
            guard row.isNull(6), row.integer(11) == 1 else {
                throw .databaseDamaged("the entries of an append log are missing")
            }
            sequences = nil
            endOfNewest = CacheAdvanceLayout.headerBytes
            endPosition = 0
            usedBytes = 0
            return
        }
        let stored = try row.count(8)
        let (first, last) = (row.integer(5), try row.count(6))
        let (oldest, newest) = (try row.count(9), try row.count(10))
        guard first >= 1, first <= last, oldest <= newest else {
            throw .databaseDamaged("entries of an append log have impossible sequence numbers or positions")
        }
        sequences = first...last
        endOfNewest = UInt64(try row.count(7)) + UInt64(stored)
        endPosition = newest + stored
        usedBytes = UInt64(endPosition - oldest)
    }

    /// The revision at which the log was created, which is also its number.
    var createdRevision: UInt64 { UInt64(max(0, number)) }

    var info: Log {
        Log(
            name: name, configuration: configuration, isReplicated: isReplicated, createdAt: createdAt,
            createdRevision: createdRevision,
            sequences: sequences.map { UInt64(max(1, $0.lowerBound))...UInt64(max(1, $0.upperBound)) },
            usedBytes: usedBytes)
    }

    static let selectSQL = """
        SELECT l.number, l.name, l.maximum_bytes, l.overwrites_oldest, l.created_at, o.sequence, n.sequence, n.offset,
            \(LogEntrySize.column(of: "n")), o.position, n.position, l.first_sequence, l.is_replicated, l.told_through
        FROM logs AS l
        LEFT JOIN log_entries AS o ON o.log = l.number AND o.sequence = (
            SELECT min(sequence) FROM log_entries WHERE log = l.number AND sequence >= l.first_sequence)
        LEFT JOIN log_entries AS n ON n.log = l.number
            AND n.sequence = (SELECT max(sequence) FROM log_entries WHERE log = l.number)
        """
    private static let byName = StatementText(selectSQL + " WHERE l.name = ?1")
}

/// The writer's state of a log, so that an append reads nothing from the database. It is valid in the transaction that
/// changed it and in later transactions; a rollback discards it.
final class OpenLog {
    let number: Int64
    let configuration: LogConfiguration
    let createdAt: Timestamp
    let isReplicated: Bool
    /// The sequence number of the oldest entry that stays; one more than the newest one if none stays.
    private(set) var oldestSequence: Int64
    private(set) var newestSequence: Int64
    private(set) var endOfNewest: UInt64
    /// The number of bytes of all entries that were ever appended.
    private(set) var endPosition: Int64
    /// The offsets of the first remaining entries, from the oldest on. They were read ahead.
    private var offsets: Deque<UInt64> = []
    /// The sequence number of the oldest row that is neither deleted nor left to `RowRemoval`.
    private var deletedBelow: Int64

    init(_ row: LogRow) {
        number = row.number
        configuration = row.configuration
        createdAt = row.createdAt
        isReplicated = row.isReplicated
        oldestSequence = row.sequences?.lowerBound ?? 1
        newestSequence = row.sequences?.upperBound ?? 0
        endOfNewest = row.endOfNewest
        endPosition = row.endPosition
        deletedBelow = oldestSequence
    }

    /// The entries that the transaction has displaced, and whose rows it still has to delete.
    var displaced: Range<Int64> { deletedBelow..<oldestSequence }

    func recordDeletion() {
        deletedBelow = oldestSequence
    }

    /// Removes the entries whose bytes a placement overwrites. A placement may stand for several consecutive messages.
    func makeRoom(for placement: CacheAdvancePlacement, _ stored: LogOffsets) throws(StoreError) {
        guard configuration.overwritesOldest else { return }
        while oldestSequence <= newestSequence {
            if offsets.isEmpty {
                offsets = try stored.next(from: oldestSequence)
                if let last = offsets.last, placement.displaces(last) {
                    // Many more entries may be displaced, so search for the first remaining one.
                    oldestSequence = try firstThatStays(placement, from: oldestSequence + Int64(offsets.count), stored)
                    offsets.removeAll(keepingCapacity: true)
                    continue
                }
            }
            guard let oldest = offsets.first else { throw .databaseDamaged("entries of an append log are missing") }
            guard placement.displaces(oldest) else { return }
            offsets.removeFirst()
            oldestSequence += 1
        }
    }

    /// Returns the first entry that stays, by binary search: all displaced entries come before all remaining ones.
    private func firstThatStays(
        _ placement: CacheAdvancePlacement, from first: Int64, _ stored: LogOffsets
    ) throws(StoreError) -> Int64 {
        var (lowest, end) = (first, newestSequence + 1)
        while lowest < end {
            let middle = lowest + (end - lowest) / 2
            if placement.displaces(try stored.offset(of: middle)) {
                lowest = middle + 1
            } else {
                end = middle
            }
        }
        return lowest
    }

    /// Sets the position of the first entry of a log that never had an entry.
    func begin(at sequence: Int64, offset: UInt64, position: Int64) {
        precondition(newestSequence == 0, "only a log without entries can begin at a chosen position")
        oldestSequence = sequence
        newestSequence = sequence - 1
        endOfNewest = offset
        endPosition = position
        deletedBelow = sequence
    }

    /// Adds an entry.
    ///
    /// - Returns: The entry's sequence number, and the number of bytes of all entries before it.
    func append(_ placement: CacheAdvancePlacement) -> (sequence: Int64, position: Int64) {
        let position = endPosition
        newestSequence += 1
        endOfNewest = placement.end
        endPosition += Int64(placement.end - placement.offset)
        return (newestSequence, position)
    }
}

/// The stored offsets of a log's entries: where each would begin if the log were a CacheAdvance file.
struct LogOffsets {
    private static let readAheadCount = 256

    let log: Int64
    let connection: Connection

    /// Returns the offsets of the next entries from a sequence number on.
    func next(from sequence: Int64) throws(StoreError) -> Deque<UInt64> {
        let rows = try connection.rows(Self.selectNext, log, sequence, Self.readAheadCount)
        var offsets: Deque<UInt64> = []
        while try rows.next() {
            offsets.append(rows.unsigned(0))
        }
        return offsets
    }

    func offset(of sequence: Int64) throws(StoreError) -> UInt64 {
        guard let row = try connection.first(Self.selectOne, log, sequence) else {
            throw .databaseDamaged("entries of an append log are missing")
        }
        return row.unsigned(0)
    }

    private static let selectNext = StatementText(
        "SELECT offset FROM log_entries WHERE log = ?1 AND sequence >= ?2 ORDER BY sequence LIMIT ?3")
    private static let selectOne = StatementText("SELECT offset FROM log_entries WHERE log = ?1 AND sequence = ?2")
}

/// The logs that the writer has used recently. When there are too many, all are discarded except those in `touched`.
/// After a rollback, and when the store is closed, all are discarded.
final class OpenLogs: TransactionCache {
    private static let logsMax = 1_024

    private var logs: [LogName: OpenLog] = [:]
    /// The logs of the current transaction with rows to delete or new entries to announce.
    private(set) var touched: [LogName: OpenLog] = [:]
    /// The logs that received entries of other devices in the current transaction.
    private var merged: Set<LogName> = []

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

    func recordMerged(_ name: LogName) {
        merged.insert(name)
    }

    /// Forgets a log whose row was changed in other ways than by appends. It must have no displaced entries left.
    func forget(_ name: LogName) {
        logs[name] = nil
    }

    func remove(_ name: LogName) {
        logs[name] = nil
        touched[name] = nil
    }

    /// Returns the append logs that the transaction has changed, for their followers.
    func news() -> [LogNews] {
        guard !touched.isEmpty || !merged.isEmpty else { return [] }
        let appended = touched.map { LogNews(name: $0.key, needsPublishing: $0.value.isReplicated) }
        return appended + merged.filter { touched[$0] == nil }.map { LogNews(name: $0, needsPublishing: false) }
    }

    func removeAll() {
        logs.removeAll()
        touched.removeAll()
        merged.removeAll()
    }

    func committed() {
        touched.removeAll(keepingCapacity: true)
        merged.removeAll()
    }

    func rolledBack(_ extent: RollbackExtent) {
        removeAll()
    }

    func closed() {
        removeAll()
    }
}
