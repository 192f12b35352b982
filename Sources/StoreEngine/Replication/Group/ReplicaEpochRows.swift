import ReplicaModel
import SQLCipher
import StoreBasics
import StoreCrypto

/// The rows of `replica_epochs`: keys that batches were and are sealed with, and who was given them.
enum ReplicaEpochRows {
    /// - Returns: `nil` for one whose key was not told here.
    static func key(of epoch: EpochID, _ connection: Connection) throws(StoreError) -> EpochKey? {
        guard let row = try connection.first(selectKey, epoch.number, Int64(bitPattern: epoch.maker)), !row.isNull(0)
        else { return nil }
        return try mappedKeys(EpochKey(bytes: SecretBytes(copying: row.borrowedBytes(0))))
    }

    /// Those whose keys are known here, the greatest first: batches are sealed with the first.
    static func known(_ connection: Connection) throws(StoreError) -> [EpochID] {
        var epochs: [EpochID] = []
        let rows = try connection.rows(selectKnown)
        while try rows.next() {
            epochs.append(
                EpochID(number: UInt32(clamping: rows.integer(0)), maker: UInt64(bitPattern: rows.integer(1))))
        }
        return epochs.sorted(by: >)
    }

    static func insert(_ epoch: EpochID, _ key: borrowing EpochKey, _ connection: Connection) throws(StoreError) {
        let bytes = key.bytes.withUnsafeBytes { [UInt8]($0) }
        try connection.runOrInsert(updateKey, insertKey, epoch.number, Int64(bitPattern: epoch.maker), bytes)
    }

    // MARK: Who has it

    static func noteGrant(of epoch: EpochID, to device: UInt64, _ connection: Connection) throws(StoreError) {
        try connection.run(
            insertGrant, epoch.number, Int64(bitPattern: epoch.maker), Int64(bitPattern: device))
    }

    static func isGranted(_ epoch: EpochID, to device: UInt64, _ connection: Connection) throws(StoreError) -> Bool {
        try connection.first(
            selectGrant, epoch.number, Int64(bitPattern: epoch.maker), Int64(bitPattern: device)) != nil
    }

    private static let selectKey = StatementText("SELECT key FROM replica_epochs WHERE number = ?1 AND maker = ?2")
    private static let selectKnown = StatementText("SELECT number, maker FROM replica_epochs")
    private static let updateKey = StatementText(
        "UPDATE OR FAIL replica_epochs SET key = ?3 WHERE number = ?1 AND maker = ?2")
    private static let insertKey = StatementText("INSERT INTO replica_epochs VALUES (?1, ?2, ?3)")
    private static let insertGrant = StatementText("INSERT OR IGNORE INTO replica_grants VALUES (?1, ?2, ?3)")
    private static let selectGrant = StatementText(
        "SELECT 1 FROM replica_grants WHERE number = ?1 AND maker = ?2 AND device = ?3")
}
