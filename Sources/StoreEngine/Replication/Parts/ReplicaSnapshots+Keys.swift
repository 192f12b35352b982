import ReplicaModel
import SQLCipher
import StoreBasics
import StoreCrypto

/// Adds to a snapshot the keys that were made while its requester was away.
extension ReplicaSnapshots {
    /// Gives the requester of a snapshot the keys that it may lack, sealed under an epoch whose key it has. This also
    /// covers keys that were made since the snapshot began, because the device reads nothing else before the snapshot's
    /// end.
    ///
    /// - Returns: True if this call made a chunk; `nil` if the device cannot get the keys.
    func grantKeys(
        to member: ReplicaMember, _ snapshot: inout ReplicaSnapshot, _ group: inout ReplicaGroupRow
    ) throws(StoreError) -> Bool? {
        let known = try ReplicaEpochRows.known(connection)
        guard let newest = known.first, newest != snapshot.epoch else { return false }
        let greatest = snapshot.epoch.number.addingClamped(UInt32(ReplicaLimits.snapshotKeysMax))
        let granted = known.filter { $0.number <= greatest }.prefix(ReplicaLimits.snapshotKeysMax)
        guard let last = granted.first, last > snapshot.epoch else { return nil }
        var payload: [UInt8] = []
        // Removals come before the keys, because the requester passes the keys on to devices that it has admitted, but
        // must not pass them on to removed ones.
        try removals().forEach { ReplicaRecord.memberRemoval($0).append(to: &payload) }
        for epoch in granted.reversed() {
            guard let key = try ReplicaEpochRows.key(of: epoch, connection),
                let sealed = try? key.sealed(for: member.receivingKey)
            else { return nil }
            let record = EpochRecord(id: epoch, grants: [EpochRecord.Grant(device: member.device, sealedKey: sealed)])
            ReplicaRecord.epoch(record).append(to: &payload)
            if epoch == newest {
                try say(record, &group)
            }
        }
        try replica.channels.seal(payload, &snapshot, isLast: false, group)
        snapshot.epoch = last
        return true
    }

    /// Publishes in a batch that the requester has the newest key. Other devices do not read the chunks of the
    /// snapshot. But a device that has removed the requester in the meantime has to know, so that it replaces the key.
    private func say(_ record: EpochRecord, _ group: inout ReplicaGroupRow) throws(StoreError) {
        for grant in record.grants {
            guard try !ReplicaEpochRows.isSaidToBeGranted(record.id, to: grant.device, connection) else { return }
            try ReplicaEpochRows.recordGrant(of: record.id, to: grant.device, isSure: false, connection)
        }
        try replica.channels.seal([.epoch(record)], &group)
        try group.write(connection)
    }

    /// Returns the removals of devices. They contain only numbers and sequences, because a removed device may be able
    /// to read them.
    func removals() throws(StoreError) -> [MemberRemovalRecord] {
        try ReplicaMemberRows.all(connection).compactMap { member in
            member.removedThrough.map { MemberRemovalRecord(device: member.device, throughSequence: $0) }
        }
    }
}
