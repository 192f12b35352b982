import ReplicaModel
import SQLCipher
import StoreBasics

/// The entries of one log from one device, as far as the group knows them: a row of `replica_logs`. A row without
/// entries is deleted.
struct DeviceLogRow {
    let number: Int64
    let name: LogName
    let device: UInt64
    /// Distinguishes the log from an earlier log of the device with the same name.
    let opened: UInt64
    /// The settings of the log, as the body of a `WholeLog`.
    let value: [UInt8]
    /// The number of the first entry that still exists.
    private(set) var oldest: Int64
    /// The log of this store that also contains the entries; `nil` if this store is not the device that published them.
    let ownLog: Int64?

    /// The upper limit of entries' stamps, so that SQL can compare them as signed integers.
    static let timeMax = UInt64(Int64.max)

    private init(_ row: borrowing Rows) throws(StoreError) {
        number = row.integer(0)
        name = try row.name(1)
        device = row.device(2)
        opened = row.unsigned(3)
        value = WholeLog.body(stored: row.bytes(4))
        oldest = try row.count(5)
        ownLog = row.optionalInteger(6)
    }

    static func all(_ name: LogName, _ connection: Connection) throws(StoreError) -> [DeviceLogRow] {
        var logs: [DeviceLogRow] = []
        let rows = try connection.rows(selectAll, name)
        while try rows.next() {
            logs.append(try DeviceLogRow(rows))
        }
        return logs
    }

    /// Returns the row with the lowest number above `number`; `nil` if there is none.
    static func next(after number: Int64, _ connection: Connection) throws(StoreError) -> DeviceLogRow? {
        guard let row = try connection.first(selectNext, number) else { return nil }
        return try DeviceLogRow(row)
    }

    static func isThere(_ name: LogName, _ connection: Connection) throws(StoreError) -> Bool {
        try connection.first(selectAll, name) != nil
    }

    /// Returns the row that a record is about, and creates it if necessary.
    static func find(
        _ record: LogEntriesRecord, ownLog: Int64?, _ connection: Connection
    ) throws(StoreError) -> DeviceLogRow {
        let device = DeviceColumn(record.device)
        if let row = try connection.first(selectOne, record.name, device, record.opened) {
            return try DeviceLogRow(row)
        }
        // A number is not used again while entries of its previous log still have to be removed.
        let kind = Leftovers.Kind.deviceEntries.rawValue
        let number = try connection.first(selectNewNumber, kind)?.integer(0) ?? 1
        try connection.run(
            insert, number, record.name, device, record.opened, record.value, record.oldestSequence, ownLog)
        guard let row = try connection.first(selectOne, record.name, device, record.opened) else {
            throw ReplicaTables.damaged
        }
        return try DeviceLogRow(row)
    }

    // MARK: Entries

    /// Inserts an entry.
    ///
    /// - Returns: True if the entry is new.
    func insert(_ sequence: Int64, _ entry: LogEntriesRecord.Entry, _ connection: Connection) throws(StoreError) -> Bool
    {
        try connection.runUnlessDuplicate(
            Self.insertEntry, number, sequence, Int64(clamping: entry.time), entry.data, entry.metadata)
    }

    /// Returns whether the entries of a record are consistent with the existing ones: equal numbers have equal times,
    /// and times never decrease.
    func isFollowed(by record: LogEntriesRecord, _ connection: Connection) throws(StoreError) -> Bool {
        let first = Int64(clamping: record.firstSequence)
        let last = first + Int64(record.entries.count) - 1
        guard let firstTime = record.entries.first?.time, let lastTime = record.entries.last?.time else { return true }
        if let before = try connection.first(Self.selectBefore, number, first, oldest), before.unsigned(1) > firstTime {
            return false
        }
        let rows = try connection.rows(Self.selectFrom, number, first, Int64(record.entries.count) + 1)
        while try rows.next() {
            let sequence = rows.integer(0)
            guard sequence <= last else { return rows.unsigned(1) >= lastTime }
            guard record.entries[Int(sequence - first)].time == rows.unsigned(1) else { return false }
        }
        return true
    }

    /// Returns the time of the newest entry; 0 without entries.
    func newestTime(_ connection: Connection) throws(StoreError) -> UInt64 {
        try connection.first(Self.selectNewest, number)?.unsigned(1) ?? 0
    }

    func newestSequence(_ connection: Connection) throws(StoreError) -> Int64 {
        try connection.first(Self.selectNewest, number)?.integer(0) ?? 0
    }

    /// Returns the first entry that was appended after a removal. Because the times of a device's entries never
    /// decrease, a binary search finds it.
    func firstEntry(after removal: ReplicaStamp, _ connection: Connection) throws(StoreError) -> Int64? {
        // If an entry has the same time as the removal, the stamp of the device with the greater number is later.
        let last = device > removal.device ? removal.time &- (removal.time > 0 ? 1 : 0) : removal.time
        guard let newest = try connection.first(Self.selectNewest, number), newest.integer(0) >= oldest,
            newest.unsigned(1) > last
        else { return nil }
        var (low, high, found) = (oldest, newest.integer(0), newest.integer(0))
        while low < high {
            let middle = low + (high - low) / 2
            guard let entry = try connection.first(Self.selectFrom, number, middle, 1) else { break }
            if entry.unsigned(1) > last {
                (high, found) = (middle, entry.integer(0))
            } else {
                low = entry.integer(0) + 1
            }
        }
        return found
    }

    mutating func raiseOldest(to sequence: Int64, _ connection: Connection) throws(StoreError) {
        guard sequence > oldest else { return }
        oldest = sequence
        try connection.run(Self.updateOldest, number, sequence)
    }

    func delete(_ connection: Connection) throws(StoreError) {
        try connection.run(Self.delete, number)
    }

    /// Forgets which rows came from this store, which is no longer the device that published them.
    static func clearOwnLogs(_ connection: Connection) throws(StoreError) {
        try connection.run(forgetOwn)
    }

    private static let columns = "number, name, device, opened, value, oldest, own_log FROM replica_logs"
    private static let selectAll = StatementText("SELECT \(columns) WHERE name = ?1 ORDER BY device, opened")
    private static let selectNext = StatementText("SELECT \(columns) WHERE number > ?1 ORDER BY number LIMIT 1")
    private static let selectOne = StatementText("SELECT \(columns) WHERE name = ?1 AND device = ?2 AND opened = ?3")
    private static let selectNewNumber = StatementText(
        """
        SELECT 1 + max(coalesce((SELECT max(number) FROM replica_logs), 0),
            coalesce((SELECT max(last_number) FROM removals WHERE kind = ?1), 0))
        """)
    private static let insert = StatementText("INSERT INTO replica_logs VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")
    private static let insertEntry = StatementText("INSERT INTO replica_log_entries VALUES (?1, ?2, ?3, ?4, ?5)")
    private static let selectNewest = StatementText(
        "SELECT sequence, time FROM replica_log_entries WHERE log = ?1 ORDER BY sequence DESC LIMIT 1")
    private static let selectFrom = StatementText(
        """
        SELECT sequence, time FROM replica_log_entries WHERE log = ?1 AND sequence >= ?2 ORDER BY sequence LIMIT ?3
        """)
    private static let selectBefore = StatementText(
        """
        SELECT sequence, time FROM replica_log_entries WHERE log = ?1 AND sequence < ?2 AND sequence >= ?3
        ORDER BY sequence DESC LIMIT 1
        """)
    private static let updateOldest = StatementText("UPDATE OR FAIL replica_logs SET oldest = ?2 WHERE number = ?1")
    private static let delete = StatementText("DELETE FROM replica_logs WHERE number = ?1")
    private static let forgetOwn = StatementText("UPDATE OR FAIL replica_logs SET own_log = NULL")
}
