import DequeModule
import Interchange

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
            guard let oldest = offsets.first else {
                throw .databaseDamaged("a log lacks messages it counts")
            }
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
