import Interchange
import SQLCipher
internal import StoreBasics

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
        try mapped { () throws(SQLCipherError) in
            let select = try connection.statement(byName)
            select.bind(1, name.text)
            defer { select.reset() }
            return try select.step() ? try LogRow(select) : nil
        }
    }

    init(_ row: Statement) throws(SQLCipherError) {
        number = row.integer(0)
        name = LogName(trusted: try row.text(1))
        configuration = LogConfiguration(
            maximumBytes: UInt64(max(0, row.integer(2))), overwritesOldest: row.bool(3))
        createdAt = Timestamp(microseconds: row.integer(4))
        guard !row.isNull(5), row.integer(5) <= row.integer(6) else {
            sequences = nil
            endOfNewest = CacheAdvanceLayout.headerBytes
            endPosition = 0
            usedBytes = 0
            return
        }
        sequences = row.integer(5)...row.integer(6)
        let stored = CacheAdvanceLayout.storedBytes(messageBytes: max(0, row.int(8)))
        endOfNewest = UInt64(max(0, row.integer(7))) + stored
        endPosition = row.integer(10) + Int64(stored)
        usedBytes = UInt64(max(0, endPosition - row.integer(9)))
    }

    var info: LogInfo {
        LogInfo(
            name: name, configuration: configuration, createdAt: createdAt,
            sequences: sequences.map { UInt64(max(1, $0.lowerBound))...UInt64(max(1, $0.upperBound)) },
            usedBytes: usedBytes)
    }

    static let selectSQL = """
        SELECT l.number, l.name, l.maximum_bytes, l.overwrites, l.created_at, o.sequence, n.sequence, n.offset,
            length(n.data), o.position, n.position FROM logs AS l
        LEFT JOIN log_entries AS o ON o.log = l.number
            AND o.sequence = (SELECT min(sequence) FROM log_entries WHERE log = l.number)
        LEFT JOIN log_entries AS n ON n.log = l.number
            AND n.sequence = (SELECT max(sequence) FROM log_entries WHERE log = l.number)
        """
    private static let byName = StatementText(selectSQL + " WHERE l.name = ?1")
}
