import ReplicaModel
import SQLCipher
import StoreBasics
import StoreCrypto

/// The row of `replica_group`: the membership of this store in a group. The table has at most one row.
struct ReplicaGroupRow {
    /// The state of the membership. The raw values are stored on disk.
    enum State: Int64 {
        /// The store has asked to join, and knows nothing of the group yet.
        case joining = 1
        /// The store has the keys, and waits for a snapshot.
        case receiving = 2
        case member = 3
        /// Another device has removed this one.
        case removed = 4
    }

    var id: ReplicaID
    let device: UInt64
    let deviceName: String
    /// The history of the store when it joined. A store with another history is another device.
    let history: HistoryID
    var state: State
    var selection: ReplicaSelection
    var clock: HybridClock
    /// The revision up to which changes are in batches, or came from merges.
    var collectedThrough: UInt64
    /// The sequence of the last batch made here.
    var lastSequence: UInt64
    var lastHash: [UInt8]
    /// The sequence of the last batch made here that contains data of the store.
    var lastChangeSequence: UInt64 = 0
    /// The sequence up to which the stream has this store's batches.
    var storedThrough: UInt64
    /// The position of the walk that publishes what the store contained before it joined; `nil` when it has ended.
    var walk: ReplicaWalk?
    /// The snapshot that the store has requested; `nil` if it waits for none.
    var awaitedSnapshot: AwaitedSnapshot?
    var positionsPublishedAt: Timestamp

    struct AwaitedSnapshot {
        var id: ReplicaID
        var maker: UInt64
        /// The time of the request for the snapshot, or of the merge of the most recent chunk.
        var heardAt: Timestamp
        var mergedChunks: UInt64 = 0
        var lastHash = ReplicaGroupRow.noHash

        /// The record that requests the snapshot.
        var record: [UInt8] {
            var bytes: [UInt8] = []
            ReplicaRecord.snapshotRequest(SnapshotRequestRecord(id: id, maker: maker)).append(to: &bytes)
            return bytes
        }
    }

    /// Returns whether a store with this history still publishes to the group. A removed store does not, nor does a
    /// store that a backup replaced.
    func isPublishedTo(by history: HistoryID) -> Bool { state != .removed && self.history == history }

    static let noHash = [UInt8](repeating: 0, count: PositionsRecord.hashBytes)

    /// Returns the row; `nil` if the store belongs to no group.
    static func read(_ connection: Connection) throws(StoreError) -> ReplicaGroupRow? {
        guard let row = try connection.first(select) else { return nil }
        guard let id = ReplicaID(row.borrowedBytes(0)), let state = State(rawValue: row.integer(4)),
            let selection = ReplicaSelection(row.borrowedBytes(5))
        else { throw ReplicaTables.damaged }
        var walk: ReplicaWalk?
        if !row.isNull(11) {
            guard let left = ReplicaWalk(row.borrowedBytes(11)) else { throw ReplicaTables.damaged }
            walk = left
        }
        return ReplicaGroupRow(
            id: id, device: row.device(1), deviceName: try row.text(2),
            history: try History.id(row.borrowedBytes(3)), state: state, selection: selection,
            clock: HybridClock(last: UInt64(bitPattern: row.integer(6))), collectedThrough: row.unsigned(7),
            lastSequence: row.unsigned(8), lastHash: row.bytes(9), lastChangeSequence: row.unsigned(18),
            storedThrough: row.unsigned(10), walk: walk,
            awaitedSnapshot: try awaitedSnapshot(row), positionsPublishedAt: row.timestamp(17))
    }

    private static func awaitedSnapshot(_ row: borrowing Rows) throws(StoreError) -> AwaitedSnapshot? {
        guard !row.isNull(12) else { return nil }
        guard let id = ReplicaID(row.borrowedBytes(12)) else { throw ReplicaTables.damaged }
        return AwaitedSnapshot(
            id: id, maker: row.device(13), heardAt: row.timestamp(16),
            mergedChunks: row.unsigned(14), lastHash: row.bytes(15))
    }

    static func isThere(_ connection: Connection) throws(StoreError) -> Bool {
        try connection.first(selectOne) != nil
    }

    func insert(_ keys: borrowing ReplicaDeviceKeys, _ connection: Connection) throws(StoreError) {
        try keys.bytes.withUnsafeBytes { (bytes) throws(StoreError) in
            try connection.run(Self.insert, DeviceColumn(device), deviceName, history, SecretColumn(bytes: bytes))
        }
        try write(connection)
    }

    func write(_ connection: Connection) throws(StoreError) {
        try connection.run(
            Self.update, id.bytes, state.rawValue, selection.bytes, Int64(bitPattern: clock.last), collectedThrough,
            lastSequence, lastHash, storedThrough, walk?.bytes, awaitedSnapshot?.id.bytes,
            awaitedSnapshot.map { DeviceColumn($0.maker) },
            awaitedSnapshot.map { Int64(clamping: $0.mergedChunks) }, awaitedSnapshot?.lastHash,
            awaitedSnapshot?.heardAt, positionsPublishedAt, lastChangeSequence)
    }

    static func keys(_ connection: Connection) throws(StoreError) -> ReplicaDeviceKeys {
        guard let row = try connection.first(selectKeys) else { throw .notReplicated }
        return try mappedKeys(ReplicaDeviceKeys(bytes: SecretBytes(copying: row.borrowedBytes(0))))
    }

    private static let select = StatementText(
        """
        SELECT id, device, device_name, history, state, selection, clock, collected_through, last_sequence, last_hash,
            stored_through, walk, snapshot, snapshot_maker, snapshot_chunks, snapshot_hash, snapshot_heard_at,
            positions_told_at, last_change_sequence
        FROM replica_group
        """)
    private static let selectOne = StatementText("SELECT 1 FROM replica_group")
    private static let selectKeys = StatementText("SELECT device_keys FROM replica_group")
    private static let insert = StatementText(
        """
        INSERT INTO replica_group (singleton, device, device_name, history, device_keys, id, state, selection, clock,
            collected_through, last_sequence, last_hash, stored_through, positions_told_at)
        VALUES (1, ?1, ?2, ?3, ?4, x'', 0, x'', 0, 0, 0, x'', 0, 0)
        """)
    private static let update = StatementText(
        """
        UPDATE OR FAIL replica_group SET id = ?1, state = ?2, selection = ?3, clock = ?4, collected_through = ?5,
            last_sequence = ?6, last_hash = ?7, stored_through = ?8, walk = ?9, snapshot = ?10, snapshot_maker = ?11,
            snapshot_chunks = ?12, snapshot_hash = ?13, snapshot_heard_at = ?14, positions_told_at = ?15,
            last_change_sequence = ?16
        """)
}

extension ReplicaGroupRow {
    /// Returns the group of a store that is still the device that joined it.
    ///
    /// - Throws: `.notReplicated`, `.replicaDeviceChanged`.
    static func required(_ connection: Connection, _ history: HistoryID) throws(StoreError) -> ReplicaGroupRow {
        guard let group = try read(connection) else { throw .notReplicated }
        guard group.history == history else {
            throw StoreError(
                .replicaDeviceChanged,
                "a backup replaced the store, so the store is no longer the same device of its group; leave "
                    + "the group and join it again")
        }
        return group
    }
}
