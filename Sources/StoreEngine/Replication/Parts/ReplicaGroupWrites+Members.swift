import ReplicaModel
import SQLCipher
import StoreBasics
import StoreCrypto

/// Merges members, removals and epochs. All of them are sets that only grow, so the order in which stores learn of them
/// does not matter.
extension ReplicaGroupWrites {
    func mergeMember(_ record: MemberRecord, _ merge: inout ReplicaMergeStep) throws(StoreError) {
        guard record.device != merge.group.device,
            var member = try ReplicaMemberRows.readOrNew(record.device, connection), !member.isKnown
        else { return }
        member.know(record)
        try ReplicaMemberRows.write(member, connection)
        merge.hasNewsOfGroup = true
        replica.news.append(.admittedElsewhere(record.device, by: merge.device))
    }

    func mergeRemoval(_ record: MemberRemovalRecord, _ merge: inout ReplicaMergeStep) throws(StoreError) {
        // Ignore a device's record of its own removal: a device that leaves publishes none, and a removed device could
        // otherwise choose how many of its batches count.
        guard record.device != merge.device else { return }
        guard record.device != merge.group.device else {
            if merge.group.state != .removed {
                merge.group.state = .removed
                replica.news.append(.storeRemoved(by: merge.device))
            }
            return
        }
        guard var member = try ReplicaMemberRows.readOrNew(record.device, connection) else { return }
        let known = member.removedThrough
        // Batches that are merged here must count on every device, or the stores would differ.
        let through = max(record.throughSequence, known ?? 0, member.mergedSequence)
        if through > record.throughSequence, known.map({ $0 < through }) ?? true {
            merge.announcements.append(
                .memberRemoval(MemberRemovalRecord(device: record.device, throughSequence: through)))
        }
        member.removedThrough = through
        try ReplicaMemberRows.write(member, connection)
        merge.hasNewsOfGroup = true
        if known == nil {
            replica.news.append(.removed(record.device, by: merge.device))
        }
        try askOthers(insteadOf: record.device, &merge.group)
    }

    /// Extends the removal of a device to the batch that was just merged. The removal arrived when a part of the batch
    /// was already in the store, so the whole batch counts, on all devices.
    func extendRemoval(_ merge: inout ReplicaMergeStep) throws(StoreError) {
        guard case .device = merge.origin.channel,
            var member = try ReplicaMemberRows.read(merge.device, connection), let known = member.removedThrough,
            known < merge.sequence
        else { return }
        member.removedThrough = merge.sequence
        try ReplicaMemberRows.write(member, connection)
        merge.announcements.append(
            .memberRemoval(MemberRemovalRecord(device: member.device, throughSequence: merge.sequence)))
    }

    /// Makes this store request from other devices the contents and the snapshot that it expected from a removed
    /// device, and ends the snapshots that the removed device requested.
    private func askOthers(insteadOf device: UInt64, _ group: inout ReplicaGroupRow) throws(StoreError) {
        try MissingContentRows.askOthers(insteadOf: device, connection)
        try replica.snapshots.dropSnapshots(for: device)
        if group.awaitedSnapshot?.maker == device {
            group.awaitedSnapshot?.heardAt = Timestamp(microseconds: 0)
        }
    }

    /// Merges an epoch if its number is at most one greater than the number of the batch's epoch. Every device that
    /// opens a batch has the key of the batch's epoch, so all devices decide alike. In a snapshot the number may be
    /// much greater, because a snapshot may contain all keys that were made while its requester was away.
    func mergeEpoch(_ record: EpochRecord, _ merge: inout ReplicaMergeStep) throws(StoreError) {
        let most: UInt32 = merge.origin.isSnapshot ? UInt32(ReplicaLimits.snapshotKeysMax) : 1
        guard record.id.number <= merge.origin.epoch.number.addingClamped(most) else { return }
        let isSure = record.id.maker == merge.device
        let own = record.grants.first { $0.device == merge.group.device }
        if let own {
            try acceptKey(own.sealedKey, of: record.id, isSure: isSure, merge)
        }
        if try ReplicaEpochRows.grantCount(connection) < ReplicaLimits.grantsMax {
            let granted = Set(record.grants.map(\.device))
            for member in try ReplicaMemberRows.all(connection) where granted.contains(member.device) {
                try ReplicaEpochRows.recordGrant(of: record.id, to: member.device, isSure: isSure, connection)
            }
        }
        merge.hasNewsOfGroup = true
    }

    /// Accepts a key from the epoch's maker, from the device that admitted this store, and from the maker of the
    /// snapshot that this store waits for. A key that does not come from the epoch's maker is replaced by the maker's.
    /// If keys from other devices were accepted, any device could give a false key first.
    private func acceptKey(
        _ sealedKey: [UInt8], of epoch: EpochID, isSure: Bool, _ merge: ReplicaMergeStep
    ) throws(StoreError) {
        guard epoch.maker != merge.group.device else { return }
        if try ReplicaEpochRows.key(of: epoch, connection) != nil {
            guard isSure, try !ReplicaEpochRows.isGranted(epoch, to: merge.group.device, connection) else { return }
        } else {
            let isInviter = try ReplicaMemberRows.read(merge.device, connection)?.isInviter ?? false
            // A snapshot contains keys before members, so all unknown makers together may have as many epochs as one
            // member.
            let isKnown = try ReplicaMemberRows.read(epoch.maker, connection) != nil
            let count =
                isKnown
                ? try ReplicaEpochRows.count(madeBy: epoch.maker, connection)
                : try ReplicaEpochRows.countOfUnknownMakers(connection)
            guard isSure || isInviter || merge.origin.isSnapshot, count < ReplicaLimits.epochsOfMakerMax else { return }
        }
        let own = try replica.keys.keys(of: merge.group.device, connection)
        guard let key = try? EpochKey(opening: sealedKey, with: own.keys) else { return }
        try ReplicaEpochRows.insert(epoch, key, connection)
        try ReplicaEpochRows.recordGrant(of: epoch, to: merge.group.device, isSure: isSure, connection)
        // A device that gives a key has it.
        try ReplicaEpochRows.recordGrant(of: epoch, to: merge.device, isSure: isSure, connection)
    }

    /// Gives members the keys that they lack, and requests a new epoch if a removed device may have the newest key.
    /// Does so once for all records that a step has merged.
    func answerNewsOfGroup(_ merge: inout ReplicaMergeStep) throws(StoreError) {
        guard merge.hasNewsOfGroup else { return }
        try grantMissingKeys(&merge)
        try replaceEpochOfRemoved(&merge)
    }

    /// Gives keys to devices that were admitted while another device made an epoch. The inviter and the epoch's maker
    /// do so.
    private func grantMissingKeys(_ merge: inout ReplicaMergeStep) throws(StoreError) {
        for epoch in try ReplicaEpochRows.known(connection) {
            var grants: [EpochRecord.Grant] = []
            for member in try ReplicaMemberRows.all(connection) where member.isInGroup {
                guard member.isAddedHere || epoch.maker == merge.group.device, epoch.maker != member.device,
                    try !ReplicaEpochRows.isGranted(epoch, to: member.device, connection),
                    let key = try ReplicaEpochRows.key(of: epoch, connection),
                    let sealed = try? key.sealed(for: member.receivingKey)
                else { continue }
                grants.append(EpochRecord.Grant(device: member.device, sealedKey: sealed))
                try ReplicaEpochRows.recordGrant(of: epoch, to: member.device, isSure: true, connection)
            }
            guard !grants.isEmpty else { continue }
            merge.announcements.append(.epoch(EpochRecord(id: epoch, grants: grants)))
        }
    }

    /// Replaces the newest epoch if a removed device may have its key, for example because another device made the
    /// epoch at the time of the removal.
    ///
    /// The device that made the removal replaces the epoch. But it may not know that the removed device has the key, or
    /// may have been removed itself. Therefore the maker of the epoch also replaces it, and so does every device that
    /// did not get the key from the maker.
    private func replaceEpochOfRemoved(_ merge: inout ReplicaMergeStep) throws(StoreError) {
        guard let newest = try ReplicaEpochRows.known(connection).first,
            try ReplicaEpochRows.count(madeBy: merge.group.device, connection) < ReplicaLimits.replacingEpochsMax
        else { return }
        let isOwn = newest.maker == merge.group.device
        let answers = isOwn ? true : try !isSure(newest, merge.group)
        for member in try ReplicaMemberRows.all(connection) where member.isRemovedHere || member.isRemoved && answers {
            guard try mayHave(newest, member.device) else { continue }
            merge.needsEpoch = true
            return
        }
    }

    /// Makes a new epoch, seals its key for every remaining device, and publishes it under the previous epoch.
    func startEpoch(_ group: inout ReplicaGroupRow, announcing before: [ReplicaRecord]) throws(StoreError) {
        let newest = try ReplicaEpochRows.known(connection).first
        let epoch = EpochID(number: (newest?.number ?? 0).addingClamped(1), maker: group.device)
        let key = try mappedKeys(EpochKey.generate())
        var grants: [EpochRecord.Grant] = []
        for member in try ReplicaMemberRows.all(connection) where member.isInGroup {
            guard let sealed = try? key.sealed(for: member.receivingKey) else { continue }
            grants.append(EpochRecord.Grant(device: member.device, sealedKey: sealed))
            try ReplicaEpochRows.recordGrant(of: epoch, to: member.device, isSure: true, connection)
        }
        if newest != nil {
            let positions = ReplicaRecord.positions(try replica.snapshots.positions(group, ofConfirmed: true))
            try replica.channels.seal(before + [positions, .epoch(EpochRecord(id: epoch, grants: grants))], &group)
            group.positionsPublishedAt = now
        }
        try ReplicaEpochRows.insert(epoch, key, connection)
        try ReplicaEpochRows.recordGrant(of: epoch, to: group.device, isSure: true, connection)
    }

    /// Removes a device from the group. All devices refuse the batches that it makes from now on, and it cannot read
    /// new batches of others.
    func removeReplicaDevice(_ device: UInt64) throws(StoreError) -> WorkStep<ReplicaResult> {
        var group = try ReplicaGroupRow.required(connection, statistics.history)
        guard group.state == .member else { throw Self.notMember }
        guard device != group.device else {
            throw .invalidArgument(
                "a store cannot remove itself; leave the group instead, or remove the store on another device")
        }
        guard var member = try ReplicaMemberRows.read(device, connection), member.isKnown else {
            throw StoreError(.replicaDeviceNotFound, "the replica group has no such device")
        }
        // A device that is already removed is removed again only if it has the newest key.
        if member.isRemoved, try !hasNewestKey(device) { return .done(.done) }
        let through = max(member.removedThrough ?? 0, member.mergedSequence)
        member.removedThrough = through
        member.isRemovedHere = true
        try ReplicaMemberRows.write(member, connection)
        try askOthers(insteadOf: device, &group)
        let removal = MemberRemovalRecord(device: device, throughSequence: through)
        try startEpoch(&group, announcing: [.memberRemoval(removal)])
        try group.write(connection)
        return .done(.done)
    }

    private func hasNewestKey(_ device: UInt64) throws(StoreError) -> Bool {
        guard let newest = try ReplicaEpochRows.known(connection).first else { return false }
        return try mayHave(newest, device)
    }

    /// Returns whether a device may have the key of an epoch: the device made the epoch, or a member has published that
    /// the device got the key.
    private func mayHave(_ epoch: EpochID, _ device: UInt64) throws(StoreError) -> Bool {
        if epoch.maker == device { return true }
        return try ReplicaEpochRows.isSaidToBeGranted(epoch, to: device, connection)
    }

    static var notMember: StoreError {
        StoreError(
            .replicaGroupAbsent,
            "the store has not joined its replica group yet, or was removed from it; see the replication status")
    }
}

extension UInt32 {
    func addingClamped(_ other: UInt32) -> UInt32 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
