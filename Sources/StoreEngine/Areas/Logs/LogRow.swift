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
    /// It takes part in the store's group.
    let isReplicated: Bool
    /// The group knows of its messages up to this one.
    let toldThrough: Int64

    /// The log as archives and replication have it.
    var whole: WholeLog {
        WholeLog(name: name, configuration: configuration, isReplicated: isReplicated, createdAt: createdAt)
    }

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
        isReplicated = row.bool(12)
        toldThrough = try row.count(13)
        guard LogBounds.maximumBytes.contains(configuration.maximumBytes) else {
            throw .databaseDamaged("a log has an impossible maximum")
        }
        guard !row.isNull(5) else {
            guard row.isNull(6), row.integer(11) == 1 else {
                throw .databaseDamaged("the entries of a log are missing")
            }
            sequences = nil
            endOfNewest = CacheAdvanceLayout.headerBytes
            endPosition = 0
            usedBytes = 0
            return
        }
        let stored = CacheAdvanceLayout.storedBytes(messageBytes: max(0, row.int(8)))
        let (first, last) = (row.integer(5), try row.count(6))
        let (oldest, newest) = (try row.count(9), try row.count(10))
        guard first >= 1, first <= last, oldest <= newest else {
            throw .databaseDamaged("entries of a log have impossible numbers or positions")
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
            name: name, configuration: configuration, isReplicated: isReplicated, createdAt: createdAt,
            createdRevision: createdRevision,
            sequences: sequences.map { UInt64(max(1, $0.lowerBound))...UInt64(max(1, $0.upperBound)) },
            usedBytes: usedBytes)
    }

    static let selectSQL = """
        SELECT l.number, l.name, l.maximum_bytes, l.overwrites_oldest, l.created_at, o.sequence, n.sequence, n.offset,
            length(n.data), o.position, n.position, l.first_sequence, l.is_replicated, l.told_through
        FROM logs AS l
        LEFT JOIN log_entries AS o ON o.log = l.number AND o.sequence = (
            SELECT min(sequence) FROM log_entries WHERE log = l.number AND sequence >= l.first_sequence)
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
    let createdAt: Timestamp
    let isReplicated: Bool
    /// The oldest message that is to stay; behind the newest one when there is none.
    private(set) var oldestSequence: Int64
    private(set) var newestSequence: Int64
    private(set) var endOfNewest: UInt64
    /// Bytes of all messages ever appended, with their lengths.
    private(set) var endPosition: Int64
    /// Offsets of the messages from the oldest on: the first few of them, read ahead.
    private var offsets: Deque<UInt64> = []
    /// Rows below this one have been deleted, or are left to `RowRemoval`.
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

    /// Messages that the transaction has displaced and whose rows it has yet to deal with.
    var displaced: Range<Int64> { deletedBelow..<oldestSequence }

    func noteDeleted() {
        deletedBelow = oldestSequence
    }

    /// What a message, or several that go behind each other, takes the place of is not of the log any more.
    func makeRoom(for placement: CacheAdvancePlacement, _ stored: LogOffsets) throws(StoreError) {
        guard configuration.overwritesOldest else { return }
        while oldestSequence <= newestSequence {
            if offsets.isEmpty {
                offsets = try stored.next(from: oldestSequence)
                if let last = offsets.last, placement.displaces(last) {
                    // There may be very many more.
                    oldestSequence = try firstThatStays(placement, from: oldestSequence + Int64(offsets.count), stored)
                    offsets.removeAll(keepingCapacity: true)
                    continue
                }
            }
            guard let oldest = offsets.first else { throw .databaseDamaged("entries of a log are missing") }
            guard placement.displaces(oldest) else { return }
            offsets.removeFirst()
            oldestSequence += 1
        }
    }

    /// Halves: in the order of their numbers, all that go come before all that stay.
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

    /// Nothing was ever appended: the next message is to have this place.
    func begin(at sequence: Int64, offset: UInt64, position: Int64) {
        precondition(newestSequence == 0, "only a log without entries can begin at a chosen position")
        oldestSequence = sequence
        newestSequence = sequence - 1
        endOfNewest = offset
        endPosition = position
        deletedBelow = sequence
    }

    /// Takes the next message in.
    ///
    /// - Returns: its sequence number, and the bytes of all messages before it.
    func append(_ placement: CacheAdvancePlacement) -> (sequence: Int64, position: Int64) {
        let position = endPosition
        newestSequence += 1
        endOfNewest = placement.end
        endPosition += Int64(placement.end - placement.offset)
        return (newestSequence, position)
    }
}

/// Where messages of a log start in the file it would be, as the table has it.
struct LogOffsets {
    private static let readAheadCount = 256

    let log: Int64
    let connection: Connection

    /// Those of some messages from a sequence number on.
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
            throw .databaseDamaged("entries of a log are missing")
        }
        return row.unsigned(0)
    }

    private static let selectNext = StatementText(
        "SELECT offset FROM log_entries WHERE log = ?1 AND sequence >= ?2 ORDER BY sequence LIMIT ?3")
    private static let selectOne = StatementText("SELECT offset FROM log_entries WHERE log = ?1 AND sequence = ?2")
}

/// The logs the writer has met. Lives with the writer's context; dropped whole when full, when a transaction is rolled
/// back and when the store is closed.
final class OpenLogs: TransactionCache {
    private static let logsMax = 1_024

    private var logs: [LogName: OpenLog] = [:]
    /// Logs of the current transaction with rows to delete or messages to tell of.
    private(set) var touched: [LogName: OpenLog] = [:]
    /// Logs that have got entries of other devices.
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

    func noteMerged(_ name: LogName) {
        merged.insert(name)
    }

    /// Its row was changed otherwise than by appends, when no row of it was to be deleted any more.
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
        let appended = touched.map { LogNews(name: $0.key, isToBeTold: $0.value.isReplicated) }
        return appended + merged.filter { touched[$0] == nil }.map { LogNews(name: $0, isToBeTold: false) }
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
