import ReplicaModel
import SQLCipher
import StoreBasics

/// A row of `replica_former`: a membership of this store that has ended.
///
/// After a store leaves a group, it keeps its marks of messages and other replicated data, and continues to stamp
/// changes as this membership did. Therefore, when the store joins a group again, cleared flags and deletions have the
/// times at which they were made. A store that was never in a group has no such row, and no marks.
struct FormerGroupRow {
    let device: UInt64
    let selection: ReplicaSelection
    let clock: HybridClock
    /// The revision up to which changes have stamps.
    var collectedThrough: UInt64

    init(_ group: ReplicaGroupRow) {
        device = group.device
        selection = group.selection
        clock = group.clock
        collectedThrough = group.collectedThrough
    }

    private init(_ row: borrowing Rows) throws(StoreError) {
        guard let selection = ReplicaSelection(row.borrowedBytes(1)) else { throw ReplicaTables.damaged }
        device = row.device(0)
        self.selection = selection
        clock = HybridClock(last: UInt64(bitPattern: row.integer(2)))
        collectedThrough = row.unsigned(3)
    }

    /// Returns the membership that ended last; `nil` if the store was in no group since it was created or cleared.
    static func newest(_ connection: Connection) throws(StoreError) -> FormerGroupRow? {
        guard let row = try connection.first(selectNewest) else { return nil }
        return try FormerGroupRow(row)
    }

    /// Returns whether this store was the device with that number.
    static func isOwn(_ device: UInt64, _ connection: Connection) throws(StoreError) -> Bool {
        try connection.first(selectDevice, DeviceColumn(device)) != nil
    }

    /// Returns whether the store records when replicated data was changed, because it is or was in a group.
    static func areMarksKept(_ connection: Connection) throws(StoreError) -> Bool {
        try connection.first(selectAny) != nil
    }

    func write(_ connection: Connection) throws(StoreError) {
        try connection.runOrInsert(
            Self.update, Self.insert, DeviceColumn(device), selection.bytes, Int64(bitPattern: clock.last),
            collectedThrough)
    }

    private static let selectAny = StatementText(
        "SELECT 1 FROM replica_group UNION ALL SELECT 1 FROM replica_former LIMIT 1")
    private static let selectNewest = StatementText(
        "SELECT device, selection, clock, collected_through FROM replica_former ORDER BY number DESC LIMIT 1")
    private static let selectDevice = StatementText("SELECT 1 FROM replica_former WHERE device = ?1")
    private static let update = StatementText(
        "UPDATE OR FAIL replica_former SET selection = ?2, clock = ?3, collected_through = ?4 WHERE device = ?1")
    private static let insert = StatementText(
        "INSERT INTO replica_former (device, selection, clock, collected_through) VALUES (?1, ?2, ?3, ?4)")
}

extension FormerGroupRow {
    /// Returns the membership whose device and clock are used for stamps of changes: the current membership, or the one
    /// that ended last.
    static func current(_ connection: Connection) throws(StoreError) -> FormerGroupRow? {
        if let group = try ReplicaGroupRow.read(connection) { return FormerGroupRow(group) }
        return try newest(connection)
    }
}
