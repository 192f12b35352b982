import ReplicaModel
import SQLCipher
import StoreBasics
import StoreCrypto

/// The rows of `replica_epochs` and `replica_grants`: the keys of epochs, and the devices that were given them.
enum ReplicaEpochRows {
    /// Returns the key of an epoch; `nil` if this store does not have it.
    static func key(of epoch: EpochID, _ connection: Connection) throws(StoreError) -> EpochKey? {
        guard let row = try connection.first(selectKey, epoch.number, DeviceColumn(epoch.maker)), !row.isNull(0)
        else { return nil }
        return try mappedKeys(EpochKey(bytes: SecretBytes(copying: row.borrowedBytes(0))))
    }

    /// Returns the epochs whose keys this store has, the greatest first. Batches are sealed with the key of the
    /// greatest epoch.
    static func known(_ connection: Connection) throws(StoreError) -> [EpochID] {
        var epochs: [EpochID] = []
        let rows = try connection.rows(selectKnown)
        while try rows.next() {
            epochs.append(
                EpochID(number: UInt32(clamping: rows.integer(0)), maker: rows.device(1)))
        }
        return epochs.sorted(by: >)
    }

    static func insert(_ epoch: EpochID, _ key: borrowing EpochKey, _ connection: Connection) throws(StoreError) {
        try key.bytes.withUnsafeBytes { (bytes) throws(StoreError) in
            try connection.runOrInsert(
                updateKey, insertKey, epoch.number, DeviceColumn(epoch.maker), SecretColumn(bytes: bytes))
        }
    }

    // MARK: Grants

    /// Records that a device was given the key of an epoch.
    ///
    /// - Parameter isSure: True if this store or the epoch's maker gave the key. Otherwise another device says that it
    ///   gave the key.
    static func recordGrant(
        of epoch: EpochID, to device: UInt64, isSure: Bool, _ connection: Connection
    ) throws(StoreError) {
        try connection.runOrInsert(
            updateGrant, insertGrant, epoch.number, DeviceColumn(epoch.maker), DeviceColumn(device), isSure)
    }

    /// Returns whether the device was certainly given the key.
    static func isGranted(_ epoch: EpochID, to device: UInt64, _ connection: Connection) throws(StoreError) -> Bool {
        try connection.first(
            selectGrant, epoch.number, DeviceColumn(epoch.maker), DeviceColumn(device))?.bool(0) ?? false
    }

    /// Returns whether any device has said that the key was given to `device`.
    static func isSaidToBeGranted(
        _ epoch: EpochID, to device: UInt64, _ connection: Connection
    ) throws(StoreError) -> Bool {
        try connection.first(
            selectGrant, epoch.number, DeviceColumn(epoch.maker), DeviceColumn(device)) != nil
    }

    static func grantCount(_ connection: Connection) throws(StoreError) -> UInt64 {
        try connection.first(countGrants)?.unsigned(0) ?? 0
    }

    /// Returns the number of a device's epochs whose keys this store has.
    static func count(madeBy device: UInt64, _ connection: Connection) throws(StoreError) -> UInt64 {
        try connection.first(countMade, DeviceColumn(device))?.unsigned(0) ?? 0
    }

    /// Returns the number of epochs whose maker is unknown here.
    static func countOfUnknownMakers(_ connection: Connection) throws(StoreError) -> UInt64 {
        try connection.first(countUnknown)?.unsigned(0) ?? 0
    }

    private static let selectKey = StatementText("SELECT key FROM replica_epochs WHERE number = ?1 AND maker = ?2")
    private static let selectKnown = StatementText("SELECT number, maker FROM replica_epochs")
    private static let updateKey = StatementText(
        "UPDATE OR FAIL replica_epochs SET key = ?3 WHERE number = ?1 AND maker = ?2")
    private static let insertKey = StatementText("INSERT INTO replica_epochs VALUES (?1, ?2, ?3)")
    private static let updateGrant = StatementText(
        """
        UPDATE OR FAIL replica_grants SET is_sure = max(is_sure, ?4) WHERE number = ?1 AND maker = ?2 AND device = ?3
        """)
    private static let insertGrant = StatementText("INSERT INTO replica_grants VALUES (?1, ?2, ?3, ?4)")
    private static let selectGrant = StatementText(
        "SELECT is_sure FROM replica_grants WHERE number = ?1 AND maker = ?2 AND device = ?3")
    private static let countGrants = StatementText("SELECT count(*) FROM replica_grants")
    private static let countUnknown = StatementText(
        """
        SELECT count(*) FROM replica_epochs WHERE maker NOT IN (SELECT device FROM replica_members)
            AND maker != (SELECT device FROM replica_group)
        """)
    private static let countMade = StatementText("SELECT count(*) FROM replica_epochs WHERE maker = ?1")
}
