import ReplicaModel
import SQLCipher
import StoreBasics

/// Seals batches for the other devices of the group, and opens theirs.
struct ReplicaChannels: ReplicaPart {
    unowned let replica: ReplicaWrites
}

/// Hands messages out to who brings them to the group's log.
extension ReplicaChannels {
    /// While more than this waits in a channel, no more is made that may be made later.
    private static var waitingBytesMax: UInt64 { 4 << 20 }

    /// A step: forgets what the log has, makes what there is to tell, and gives what waits.
    func take(_ take: ReplicaTake) throws(StoreError) -> WorkStep<ReplicaResult> {
        var group = try ReplicaGroupRow.required(connection, statistics.history)
        let isForgotten = try ReplicaOutgoingRows.delete(take.channel, through: take.storedThrough, connection)
        switch take.channel {
        case .device(group.device):
            let isNews = noteStored(take.storedThrough, &group)
            var isEnough = try makeBatches(&group, writing: isNews)
            if !isEnough, slice.isAwaited {
                // What clients change meanwhile may never end: what there is goes on its way.
                isEnough = try isAnyWaiting(take)
            }
            guard isEnough else { return .unfinished(ProgressFoundAnew()) }
            try ReplicaInvitationRows.deleteOver(at: clock.age, connection)
        case .snapshot(let id):
            guard try replica.snapshots.makeChunk(of: id, &group) else { return .unfinished(ProgressFoundAnew()) }
        case .joinWelcome(let id):
            // It was given, and is over.
            if isForgotten {
                try ReplicaInvitationRows.delete(id, connection)
            }
        case .joinRequest:
            break
        case .device:
            throw .invalidArgument("the channel belongs to another device")
        }
        let messages = try ReplicaOutgoingRows.messages(
            take.channel, after: take.storedThrough, bytesMax: take.bytesMax, connection)
        return .done(.taken(messages))
    }

    private func isAnyWaiting(_ take: ReplicaTake) throws(StoreError) -> Bool {
        try ReplicaOutgoingRows.areThere(take.channel, after: take.storedThrough, connection)
    }

    /// - Returns: whether that is news, and to be written.
    private func noteStored(_ sequence: UInt64, _ group: inout ReplicaGroupRow) -> Bool {
        let stored = min(sequence, group.lastSequence)
        guard stored > group.storedThrough else { return false }
        group.storedThrough = stored
        return true
    }

    /// - Parameter writes: the group has changed already.
    /// - Returns: whether all that was changed is in batches, or enough waits.
    private func makeBatches(_ group: inout ReplicaGroupRow, writing writes: Bool) throws(StoreError) -> Bool {
        let isEnough = try ReplicaOutgoingRows.bytes(of: .device(group.device), connection) > Self.waitingBytesMax
        guard group.state == .receiving || group.state == .member, !isEnough else {
            if writes {
                try group.write(connection)
            }
            return true
        }
        if group.state == .member {
            try replica.group.tellPositions(&group, every: ReplicaTimes.positions)
        }
        try replica.group.askWhenBehind(&group)
        let before = group.lastSequence
        let isComplete = try replica.collecting.collectChanges(&group, .contentsFirst, writing: writes)
        if group.state == .member, group.lastSequence > before {
            try replica.group.tellPositions(&group, every: ReplicaTimes.positionsBesideChanges)
        }
        guard isComplete, group.state == .member, let walk = group.walk else { return isComplete }
        // The walk continues in the next step. An agent that gets nothing waits for the next change.
        guard !slice.isOver else { return false }
        var walking = ReplicaWalkStep(group, sequence: group.lastSequence + 1)
        group.walk = try replica.snapshots.tellNext(of: walk, &walking)
        try seal(walking.payload, &group)
        try group.write(connection)
        return group.walk == nil
    }
}
