import ReplicaModel
import SQLCipher
import StoreBasics

/// A snapshot that this store makes for another device. A chunk is made when the stream has the chunk before it.
struct ReplicaSnapshot {
    let id: ReplicaID
    /// The position of the walk over the store; `nil` after the last chunk.
    var walk: ReplicaWalk?
    var lastChunk: UInt64 = 0
    var lastHash = ReplicaGroupRow.noHash
    /// The batches up to which the snapshot contains everything.
    let positions: PositionsRecord
    /// The device for which the snapshot is made; 0 if the snapshot has ended.
    let requester: UInt64
    /// The greatest epoch whose key the device certainly has. The next chunk is sealed with it.
    var epoch: EpochID
}

/// The rows of `replica_snapshots`: snapshots that this store makes or has made for other devices.
enum ReplicaSnapshotRows {
    static func read(_ id: ReplicaID, _ connection: Connection) throws(StoreError) -> ReplicaSnapshot? {
        guard let row = try connection.first(select, id.bytes) else { return nil }
        var reader = ByteReader(row.borrowedBytes(3))
        guard let positions = PositionsRecord(&reader) else { throw ReplicaTables.damaged }
        var walk: ReplicaWalk?
        if !row.isNull(0) {
            guard let left = ReplicaWalk(row.borrowedBytes(0)) else { throw ReplicaTables.damaged }
            walk = left
        }
        return ReplicaSnapshot(
            id: id, walk: walk, lastChunk: row.unsigned(1), lastHash: row.bytes(2), positions: positions,
            requester: row.device(4),
            epoch: EpochID(number: UInt32(clamping: row.integer(5)), maker: row.device(6)))
    }

    /// Returns the ids of snapshots that are being made.
    ///
    /// - Parameter requester: Only snapshots for this device; `nil` for all.
    static func ids(for requester: UInt64? = nil, _ connection: Connection) throws(StoreError) -> [ReplicaID] {
        var ids: [ReplicaID] = []
        let rows = try connection.rows(selectIDs, requester.map(DeviceColumn.init))
        while try rows.next() {
            guard let id = ReplicaID(rows.borrowedBytes(0)) else { throw ReplicaTables.damaged }
            ids.append(id)
        }
        return ids
    }

    static func write(_ snapshot: ReplicaSnapshot, _ connection: Connection) throws(StoreError) {
        try connection.runOrInsert(
            update, insert, snapshot.id.bytes, snapshot.walk?.bytes, snapshot.lastChunk, snapshot.lastHash,
            snapshot.positions.bytes, DeviceColumn(snapshot.requester), snapshot.epoch.number,
            DeviceColumn(snapshot.epoch.maker))
    }

    /// Ends a snapshot: no more chunks of it are made. Its id stays known, so that a second snapshot cannot put other
    /// chunks into the same channel.
    static func end(_ id: ReplicaID, _ connection: Connection) throws(StoreError) {
        try connection.run(end, id.bytes)
    }

    private static let select = StatementText(
        """
        SELECT walk, last_chunk, last_hash, positions, requester, epoch_number, epoch_maker FROM replica_snapshots
        WHERE id = ?1
        """)
    private static let selectIDs = StatementText(
        "SELECT id FROM replica_snapshots WHERE requester <> 0 AND (?1 IS NULL OR requester = ?1) ORDER BY id")
    private static let update = StatementText(
        """
        UPDATE OR FAIL replica_snapshots SET walk = ?2, last_chunk = ?3, last_hash = ?4, positions = ?5, requester = ?6,
            epoch_number = ?7, epoch_maker = ?8
        WHERE id = ?1
        """)
    private static let insert = StatementText("INSERT INTO replica_snapshots VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")
    private static let end = StatementText(
        "UPDATE OR FAIL replica_snapshots SET walk = NULL, positions = x'', requester = 0 WHERE id = ?1")
}
