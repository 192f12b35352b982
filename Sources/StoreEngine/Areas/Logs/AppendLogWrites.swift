import Interchange
import SQLCipher
import StoreBasics

/// The part of a transaction that opens, extends and deletes append logs.
final class AppendLogWrites: TransactionWork {
    let transaction: Transaction
    let leftovers: Leftovers
    let listeners: AreaListeners
    let openLogs: OpenLogs
    /// The number of displaced (overwritten) entries that the transaction may still delete itself.
    var displacedRowsLeft = EngineLimits.displacedRowsMax

    init(_ transaction: Transaction, _ leftovers: Leftovers, _ listeners: AreaListeners, _ openLogs: OpenLogs) {
        self.transaction = transaction
        self.leftovers = leftovers
        self.listeners = listeners
        self.openLogs = openLogs
    }
}

extension AppendLogWrites {
    /// Creates a log, or returns the existing one unchanged, even if its configuration differs from `configuration`.
    /// Exception: if `isReplicated` is true and the configurations are equal, the existing log becomes replicated.
    func openLog(
        _ name: LogName, _ configuration: LogConfiguration, isReplicated: Bool
    ) throws(StoreError) -> (log: Log, isNew: Bool) {
        try LogBounds.check(configuration)
        // Delete the entries that the appends of this transaction displaced, because they do not belong to the log any
        // more.
        try deleteDisplacedEntries()
        if let row = try LogRow.find(name, in: connection) {
            var log = row.info
            if isReplicated, !log.isReplicated, log.configuration == configuration {
                log.isReplicated = true
                try replicate(row.number, name)
            }
            return (log, false)
        }
        let log = Log(
            name: name, configuration: configuration, isReplicated: isReplicated, createdAt: now,
            createdRevision: nextRevision, usedBytes: 0)
        try makeLog(name, configuration, isReplicated: isReplicated, createdAt: now)
        return (log, true)
    }

    /// Makes a log replicated from now on.
    ///
    /// - Precondition: The entries that appends of this transaction displaced are deleted.
    func replicate(_ log: Int64, _ name: LogName) throws(StoreError) {
        try connection.run(Self.startReplication, log)
        openLogs.forget(name)
        record(.log, .updated, id: name.text)
    }

    func makeLog(
        _ name: LogName, _ configuration: LogConfiguration, isReplicated: Bool, createdAt: Timestamp
    ) throws(StoreError) {
        try connection.run(
            Self.insertLog, Int64(nextRevision), name, configuration.maximumBytes, configuration.overwritesOldest,
            createdAt, isReplicated)
        record(.log, .created, id: name.text)
    }

    /// Appends all messages or none. An append has no entry in the change log, because readers of a log follow its
    /// sequence numbers.
    ///
    /// - Returns: The sequence numbers of the messages.
    func append(_ append: LogAppend) throws(StoreError) -> ClosedRange<UInt64> {
        try LogBounds.check(append.messages, append.metadata)
        let log = try openLog(append.log)
        guard append.expected.map({ $0 == log.configuration }) ?? true else {
            throw StoreError(
                .logNotWritable,
                "the log has a limit of \(log.configuration.maximumBytes) bytes and "
                    + "\(log.configuration.overwritesOldest ? "overwrites" : "keeps") old entries; "
                    + "open it with the same configuration")
        }
        let placements = try Self.placements(for: append, in: log)
        var first = 0
        while first < placements.count {
            let end = placements[(first + 1)...].firstIndex(where: \.startsOver) ?? placements.count
            try log.makeRoom(
                for: placements[first].joined(through: placements[end - 1]),
                LogOffsets(log: log.number, connection: connection))
            for index in first..<end {
                let (sequence, position) = log.append(placements[index])
                try connection.run(
                    Self.insertEntry, log.number, sequence, placements[index].offset, position, append.messages[index],
                    statistics.revision, log.isReplicated ? now : nil, append.metadata(of: index)?.bytes)
            }
            first = end
        }
        openLogs.touch(log, append.log)
        removedContent = removedContent || !log.displaced.isEmpty
        let newest = UInt64(max(1, log.newestSequence))
        return newest - UInt64(append.messages.count - 1)...newest
    }

    /// Deletes a log. Its entries become unreachable at once, and background maintenance removes their rows.
    func deleteLog(_ name: LogName) throws(StoreError) -> Commit {
        let log = try openLog(name)
        if log.isReplicated {
            try listeners.appendLogDeleted(name)
        }
        try dropLog(log.number, name)
        var commit = Commit()
        commit.ids = [name.text]
        commit.deletedCount = 1
        return commit
    }

    /// Deletes a log without informing the listeners, so that the deletion is not published.
    func dropLog(_ number: Int64, _ name: LogName) throws(StoreError) {
        try connection.run(Self.deleteLog, number)
        try leftovers.leaveBehind(.logEntries, number...number)
        openLogs.remove(name)
        removedContent = true
        record(.log, .deleted, id: name.text)
    }

    /// Deletes the entries that the transaction's appends displaced, one range for each log. Called at the end of the
    /// transaction, and before work that reads the entries of logs. If the entries are too many for one commit, they
    /// become unreachable, and background maintenance removes their rows.
    func deleteDisplacedEntries() throws(StoreError) {
        for log in openLogs.touched.values where !log.displaced.isEmpty {
            let displaced = log.displaced
            if displaced.count <= displacedRowsLeft {
                displacedRowsLeft -= displaced.count
                try connection.run(Self.deleteEntries, log.number, displaced.lowerBound, displaced.upperBound)
            } else {
                try connection.run(Self.moveFirst, log.number, displaced.upperBound)
                try leftovers.leaveBehind(.displacedEntries, log.number...log.number)
            }
            log.recordDeletion()
        }
    }

    /// Returns the positions of all messages. Throws if one does not fit, before any is written.
    private static func placements(
        for append: LogAppend, in log: OpenLog
    ) throws(StoreError) -> [CacheAdvancePlacement] {
        var end = log.endOfNewest
        var placements: [CacheAdvancePlacement] = []
        placements.reserveCapacity(append.messages.count)
        for (index, message) in append.messages.enumerated() {
            let stored = LogEntrySize.bytes(message, append.metadata(of: index))
            switch CacheAdvancePlacement.next(storedBytes: stored, endOfNewest: end, log.configuration.layout) {
            case .fits(let placement):
                placements.append(placement)
                end = placement.end
            case .largerThanCapacity:
                throw StoreError(
                    .logMessageTooLarge,
                    "an entry needs \(stored) bytes, but even the empty log has space for only "
                        + "\(log.configuration.maximumBytes - CacheAdvanceLayout.headerBytes) bytes")
            case .largerThanRemaining:
                throw StoreError(
                    .logFull,
                    "an entry needs \(stored) bytes, but the log has space for only "
                        + "\(log.configuration.maximumBytes - min(end, log.configuration.maximumBytes)) more bytes; "
                        + "nothing was appended")
            }
        }
        return placements
    }

    private func openLog(_ name: LogName) throws(StoreError) -> OpenLog {
        guard let log = try findLog(name) else {
            throw StoreError(.logNotFound, "there is no such log; check its name, or open the log, which creates it")
        }
        return log
    }

    func findLog(_ name: LogName) throws(StoreError) -> OpenLog? {
        if let known = openLogs[name] {
            return known
        }
        guard let row = try LogRow.find(name, in: connection) else { return nil }
        let log = OpenLog(row)
        openLogs.insert(log, for: name)
        return log
    }

    private static let insertLog = StatementText(
        """
        INSERT INTO logs (number, name, maximum_bytes, overwrites_oldest, created_at, is_replicated)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6)
        """)
    private static let startReplication = StatementText(
        "UPDATE OR FAIL logs SET is_replicated = 1 WHERE number = ?1")
    private static let insertEntry = StatementText("INSERT INTO log_entries VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")
    private static let deleteEntries = StatementText(
        "DELETE FROM log_entries WHERE log = ?1 AND sequence >= ?2 AND sequence < ?3")
    static let moveFirst = StatementText("UPDATE OR FAIL logs SET first_sequence = ?2 WHERE number = ?1")
    private static let deleteLog = StatementText("DELETE FROM logs WHERE number = ?1")
}

extension LogConfiguration {
    var layout: CacheAdvanceConfiguration {
        CacheAdvanceConfiguration(maximumBytes: maximumBytes, overwritesOldest: overwritesOldest)
    }
}

/// Checks the configuration of a log and the messages for it.
enum LogBounds {
    static func check(_ configuration: LogConfiguration) throws(StoreError) {
        guard maximumBytes.contains(configuration.maximumBytes) else {
            throw .invalidArgument(
                "the log's maximum is \(configuration.maximumBytes) bytes; it must be \(maximumBytes.lowerBound) to "
                    + "\(maximumBytes.upperBound)")
        }
    }

    /// The range of a log's maximum size in bytes.
    static let maximumBytes = CacheAdvanceLayout.headerBytes...EngineLimits.logBytesMax

    static func check(_ messages: [[UInt8]], _ metadata: [Metadata?]) throws(StoreError) {
        try FieldLimits.checkCount(messages.count, named: "messages")
        if !metadata.isEmpty {
            try FieldLimits.checkCount(metadata.count, named: "metadata")
        }
        guard metadata.isEmpty || metadata.count == messages.count else {
            throw .invalidArgument(
                "there are metadata for \(metadata.count) of \(messages.count) messages; "
                    + "send metadata for each message, empty ones for a message without, or none at all")
        }
        for message in messages {
            guard !message.isEmpty else { throw .invalidArgument("a log entry cannot be empty") }
            guard message.count <= EngineLimits.logMessageBytesMax else {
                throw .invalidArgument(
                    "a log entry has \(message.count) bytes; the limit is \(EngineLimits.logMessageBytesMax)")
            }
        }
    }
}
