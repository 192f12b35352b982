import ReplicaModel
import SQLCipher
import StoreBasics
import StoreCrypto

/// Who belongs to the group, and which keys batches are sealed with: sets that are joined, so that it does not matter
/// in
/// which order stores hear of it.
extension WriteSession {
    mutating func mergeMember(_ record: MemberRecord, _ merge: inout ReplicaMerge) throws(StoreError) {
        guard record.device != merge.group.device else { return }
        var member = try ReplicaMemberRows.read(record.device, connection) ?? ReplicaMember(device: record.device)
        // The first one that was told stays: its number is random, and nobody makes it twice by accident.
        guard !member.isKnown else { return }
        member.signingKey = record.signingKey
        member.receivingKey = record.receivingKey
        member.name = record.name
        try ReplicaMemberRows.write(member, connection)
        try tellMissingGrants(&merge)
    }

    mutating func mergeRemoval(_ record: MemberRemovalRecord, _ merge: inout ReplicaMerge) throws(StoreError) {
        guard record.device != merge.group.device else {
            merge.group.state = .removed
            return
        }
        var member = try ReplicaMemberRows.read(record.device, connection) ?? ReplicaMember(device: record.device)
        let known = member.removedThrough
        // What is merged here is taken everywhere, or the stores would differ.
        let through = max(record.throughSequence, known ?? 0, member.mergedSequence)
        if through > record.throughSequence, known.map({ $0 < through }) ?? true {
            merge.tellings.append(
                .memberRemoval(MemberRemovalRecord(device: record.device, throughSequence: through)))
        }
        member.removedThrough = through
        try ReplicaMemberRows.write(member, connection)
    }

    mutating func mergeEpoch(_ record: EpochRecord, _ merge: inout ReplicaMerge) throws(StoreError) {
        for grant in record.grants {
            try ReplicaEpochRows.noteGrant(of: record.id, to: grant.device, connection)
            guard grant.device == merge.group.device, try ReplicaEpochRows.key(of: record.id, connection) == nil else {
                continue
            }
            let keys = try ReplicaGroupRow.keys(connection)
            guard let key = try? EpochKey(opening: grant.sealedKey, with: keys) else { continue }
            try ReplicaEpochRows.insert(record.id, key, connection)
        }
        try tellMissingGrants(&merge)
        try replaceEpochOfRemoved(&merge)
    }

    /// A device that was let in while another made an epoch has no key of it: who let it in, or made the epoch, gives
    /// it.
    private func tellMissingGrants(_ merge: inout ReplicaMerge) throws(StoreError) {
        for epoch in try ReplicaEpochRows.known(connection) {
            var grants: [EpochRecord.Grant] = []
            for member in try ReplicaMemberRows.all(connection) where member.isKnown && !member.isRemoved {
                guard member.isAddedHere || epoch.maker == merge.group.device,
                    try !ReplicaEpochRows.isGranted(epoch, to: member.device, connection),
                    let key = try ReplicaEpochRows.key(of: epoch, connection),
                    let sealed = try? key.sealed(for: member.receivingKey)
                else { continue }
                grants.append(EpochRecord.Grant(device: member.device, sealedKey: sealed))
                try ReplicaEpochRows.noteGrant(of: epoch, to: member.device, connection)
            }
            guard !grants.isEmpty else { continue }
            merge.tellings.append(.epoch(EpochRecord(id: epoch, grants: grants)))
        }
    }

    /// Another device has made an epoch at the same time, and given it to one that was removed here.
    private func replaceEpochOfRemoved(_ merge: inout ReplicaMerge) throws(StoreError) {
        guard let newest = try ReplicaEpochRows.known(connection).first else { return }
        for member in try ReplicaMemberRows.all(connection) where member.isRemovedHere {
            guard try ReplicaEpochRows.isGranted(newest, to: member.device, connection) else { continue }
            merge.needsEpoch = true
            return
        }
    }

    /// A new key, sealed for every device that stays. Told under the key before it.
    func startEpoch(_ group: inout ReplicaGroupRow, telling before: [ReplicaRecord]) throws(StoreError) {
        let newest = try ReplicaEpochRows.known(connection).first
        let epoch = EpochID(number: (newest?.number ?? 0).addingClamped(1), maker: group.device)
        let key = try mappedKeys(EpochKey.generate())
        var grants: [EpochRecord.Grant] = []
        for member in try ReplicaMemberRows.all(connection) where member.isKnown && !member.isRemoved {
            guard let sealed = try? key.sealed(for: member.receivingKey) else { continue }
            grants.append(EpochRecord.Grant(device: member.device, sealedKey: sealed))
            try ReplicaEpochRows.noteGrant(of: epoch, to: member.device, connection)
        }
        if newest != nil {
            try seal(before + [.epoch(EpochRecord(id: epoch, grants: grants))], &group)
        }
        try ReplicaEpochRows.insert(epoch, key, connection)
        try ReplicaEpochRows.noteGrant(of: epoch, to: group.device, connection)
    }

    /// Removes a device from the group: what it makes from now on is refused everywhere, and what others make it cannot
    /// read.
    mutating func removeReplicaDevice(_ device: UInt64) throws(StoreError) -> WorkStep {
        var group = try ReplicaGroupRow.required(connection, statistics.history)
        guard group.state == .member else { throw Self.notMember }
        guard device != group.device else {
            throw .invalidArgument("a store does not remove itself; leave the group instead, or remove it elsewhere")
        }
        guard var member = try ReplicaMemberRows.read(device, connection), member.isKnown else {
            throw StoreError(.replicaDeviceNotFound, "the group has no such device")
        }
        guard !member.isRemoved else { return .done(.replica(.done)) }
        member.removedThrough = member.mergedSequence
        member.isRemovedHere = true
        try ReplicaMemberRows.write(member, connection)
        let removal = MemberRemovalRecord(device: device, throughSequence: member.mergedSequence)
        try startEpoch(&group, telling: [.memberRemoval(removal)])
        try group.write(connection)
        return .done(.replica(.done))
    }

    static var notMember: StoreError {
        StoreError(
            .replicaGroupAbsent, "the store has not joined its group yet, or was removed from it; see its status")
    }
}

extension UInt32 {
    fileprivate func addingClamped(_ other: UInt32) -> UInt32 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
