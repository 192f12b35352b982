import ReplicaModel
import SQLCipher
import StoreBasics

/// The one row of a store that belongs to a group.
struct ReplicaGroupRow {
    let id: [UInt8]
    let device: UInt64
    /// The store's when it joined: another history is another device.
    let history: HistoryID
    var clock: HybridClock
    /// Changes up to this revision are in batches, or are of merges.
    var collectedThrough: UInt64
    /// Of the batches made here.
    var lastSequence: UInt64

    /// `nil`: the store belongs to none.
    static func read(_ connection: Connection) throws(StoreError) -> ReplicaGroupRow? {
        guard let row = try connection.first(select) else { return nil }
        return ReplicaGroupRow(
            id: row.bytes(0), device: UInt64(bitPattern: row.integer(1)), history: try History.id(row.borrowedBytes(2)),
            clock: HybridClock(last: UInt64(bitPattern: row.integer(3))), collectedThrough: row.unsigned(4),
            lastSequence: row.unsigned(5))
    }

    static func isThere(_ connection: Connection) throws(StoreError) -> Bool {
        try connection.first(selectOne) != nil
    }

    func insert(_ connection: Connection) throws(StoreError) {
        try connection.run(
            Self.insert, id, Int64(bitPattern: device), history, Int64(bitPattern: clock.last), collectedThrough,
            lastSequence)
    }

    func write(_ connection: Connection) throws(StoreError) {
        try connection.run(Self.update, Int64(bitPattern: clock.last), collectedThrough, lastSequence)
    }

    private static let select = StatementText(
        "SELECT id, device, history, clock, collected_through, last_sequence FROM replica_group")
    private static let selectOne = StatementText("SELECT 1 FROM replica_group")
    private static let insert = StatementText("INSERT INTO replica_group VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6)")
    private static let update = StatementText(
        "UPDATE OR FAIL replica_group SET clock = ?1, collected_through = ?2, last_sequence = ?3")
}

/// Up to which batch those of other devices are merged.
enum ReplicaMemberRows {
    static func mergedSequence(of device: UInt64, _ connection: Connection) throws(StoreError) -> UInt64 {
        try connection.first(select, Int64(bitPattern: device))?.unsigned(0) ?? 0
    }

    static func setMergedSequence(
        _ sequence: UInt64, of device: UInt64, _ connection: Connection
    ) throws(StoreError) {
        try connection.run(replace, Int64(bitPattern: device), sequence)
    }

    private static let select = StatementText("SELECT merged_sequence FROM replica_members WHERE device = ?1")
    private static let replace = StatementText("INSERT OR REPLACE INTO replica_members VALUES (?1, ?2)")
}
