import ReplicaModel
import SQLCipher
import StoreBasics
import StoreCrypto

/// Checks the other devices of the group, the keys that they were given, and the snapshots that are made for them.
///
/// The maker of an epoch may be unknown: the inviter of a device gives it the keys of all epochs, and informs it about
/// removed devices later.
extension IntegrityCheck {
    mutating func checkGroupDevices() throws(StoreError) {
        try countUnread(
            "devices of the replica group have invalid keys, flags, times or batch numbers", Self.members
        ) { row in
            !row.isSoundMember
        }
        try countUnread(
            "keys of the replica group do not have 32 bytes, or belong to an epoch with an impossible number",
            Self.epochs
        ) { row in
            !row.bool(0)
        }
        try countUnread(
            "records of keys that devices of the replica group received are invalid, or name an unknown device",
            Self.grants
        ) {
            row in !row.bool(0)
        }
        try countUnread("snapshots for devices of the replica group are invalid", Self.snapshots) { row in
            !row.isSoundSnapshot
        }
    }

    private static let epochNumbers = "BETWEEN 0 AND \(UInt32.max)"

    private static let members = StatementText(
        """
        SELECT length(signing_key) IN (0, 32) AND length(receiving_key) = length(signing_key)
            AND length(merged_hash) = 32 AND merged_sequence >= 0 AND ahead_milliseconds >= 0 AND told_sequence >= 0
            AND held_sequence >= 0
            AND flags BETWEEN 0 AND \(ReplicaMemberRows.flagsMax) AND ifnull(removed_through, 0) >= 0
            AND NOT EXISTS (SELECT 1 FROM replica_group AS g WHERE g.device = m.device),
            device, signing_key, fault
        FROM replica_members AS m
        """)
    private static let epochs = StatementText(
        "SELECT length(key) = 32 AND number \(epochNumbers) FROM replica_epochs")
    /// Selects for each grant whether it is valid. A grant records that a device was given the key of an epoch, so it
    /// needs the row of that device. While a store leaves a group the device may be missing, because the row of the
    /// group is deleted first.
    private static let grants = StatementText(
        """
        SELECT number \(epochNumbers) AND is_sure IN (0, 1) AND (NOT EXISTS (SELECT 1 FROM replica_group)
            OR EXISTS (SELECT 1 FROM replica_members AS m WHERE m.device = r.device)
            OR EXISTS (SELECT 1 FROM replica_group AS g WHERE g.device = r.device))
        FROM replica_grants AS r
        """)
    private static let snapshots = StatementText(
        """
        SELECT length(id) = 16 AND length(last_hash) = 32 AND last_chunk >= 0 AND epoch_number \(epochNumbers)
            AND (requester <> 0 OR (walk IS NULL AND length(positions) = 0)),
            walk, positions, requester
        FROM replica_snapshots
        """)
}

extension Rows {
    /// True for a valid row. A device has no keys if its removal became known before the device itself. The column
    /// `fault` is not judged here if it is not UTF-8; `checkTexts` reports that.
    fileprivate var isSoundMember: Bool {
        let key = bytes(2)
        let isNumberOfKey =
            key.isEmpty || ReplicaDeviceKeys.number(ofSigningKey: key) == UInt64(bitPattern: integer(1))
        guard bool(0), isNumberOfKey else { return false }
        guard !isNull(3), let fault = try? text(3) else { return true }
        return ReplicaRefusal(rawValue: fault) != nil
    }

    fileprivate var isSoundSnapshot: Bool {
        guard bool(0), isNull(1) || ReplicaWalk(borrowedBytes(1)) != nil else { return false }
        var reader = ByteReader(borrowedBytes(2))
        return integer(3) == 0 || PositionsRecord(&reader) != nil
    }
}
