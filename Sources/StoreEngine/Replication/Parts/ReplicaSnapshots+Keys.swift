import ReplicaModel
import SQLCipher
import StoreBasics
import StoreCrypto

/// Keys that were made while a device was away, for the snapshot that it has asked for.
extension ReplicaSnapshots {
    /// Where what comes next would be sealed with a key that the device may lack, it is told that key under one that it
    /// has. Also where the key was made while the snapshot is: the device reads nothing else before its end.
    ///
    /// - Returns: whether that made a chunk; `nil` where the device cannot be told.
    func tellKeys(
        to member: ReplicaMember, _ snapshot: inout ReplicaSnapshot, _ group: inout ReplicaGroupRow
    ) throws(StoreError) -> Bool? {
        let known = try ReplicaEpochRows.known(connection)
        guard let newest = known.first, newest != snapshot.epoch else { return false }
        let greatest = snapshot.epoch.number.addingClamped(UInt32(ReplicaLimits.snapshotKeysMax))
        let told = known.filter { $0.number <= greatest }.prefix(ReplicaLimits.snapshotKeysMax)
        guard let last = told.first, last > snapshot.epoch else { return nil }
        var payload: [UInt8] = []
        // Before the keys: the device gives them to those that it has let in.
        try removals().forEach { ReplicaRecord.memberRemoval($0).append(to: &payload) }
        for epoch in told.reversed() {
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

    /// Who has removed the device meanwhile hears that it has the newest key, and replaces that: chunks are read by the
    /// device alone.
    private func say(_ record: EpochRecord, _ group: inout ReplicaGroupRow) throws(StoreError) {
        for grant in record.grants {
            guard try !ReplicaEpochRows.isSaidToBeGranted(record.id, to: grant.device, connection) else { return }
            try ReplicaEpochRows.noteGrant(of: record.id, to: grant.device, isSure: false, connection)
        }
        try replica.channels.seal([.epoch(record)], &group)
        try group.write(connection)
    }

    /// Of devices, as far as they are known here: their numbers and places alone, as a removed one may have the key.
    func removals() throws(StoreError) -> [MemberRemovalRecord] {
        try ReplicaMemberRows.all(connection).compactMap { member in
            member.removedThrough.map { MemberRemovalRecord(device: member.device, throughSequence: $0) }
        }
    }
}
