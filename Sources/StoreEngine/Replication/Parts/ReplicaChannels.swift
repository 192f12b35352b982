import ReplicaModel
import SQLCipher
import StoreBasics

/// The channels of the group's stream: seals batches for the other devices, and opens batches of theirs.
struct ReplicaChannels: ReplicaPart {
    unowned let replica: ReplicaWrites
}

/// Returns messages to the agent, which publishes them to the stream.
extension ReplicaChannels {
    /// While more bytes than this wait in a channel, no more batches are made.
    private static var waitingBytesMax: UInt64 { 4 << 20 }

    /// Performs one step: deletes the messages that the stream has, makes batches of changes, and returns the waiting
    /// messages.
    func fetchOutgoing(_ request: OutgoingRequest) throws(StoreError) -> WorkStep<ReplicaResult> {
        var group = try ReplicaGroupRow.required(connection, statistics.history)
        let isForgotten = try ReplicaOutgoingRows.delete(request.channel, through: request.storedThrough, connection)
        switch request.channel {
        case .device(group.device):
            let isNews = recordStoredSequence(request.storedThrough, &group)
            var isEnough = try makeBatches(&group, writing: isNews)
            if !isEnough, slice.isAwaited {
                // Clients may continue to make changes without end. The batches that exist are returned now.
                isEnough = try isAnyWaiting(request)
            }
            guard isEnough else { return .unfinished(ProgressFoundAnew()) }
            try ReplicaInvitationRows.deleteOver(at: clock.age, connection)
        case .snapshot(let id):
            guard try replica.snapshots.makeChunk(of: id, &group) else { return .unfinished(ProgressFoundAnew()) }
        case .joinWelcome(let id):
            // The stream has the welcome, so the invitation has ended.
            if isForgotten {
                try ReplicaInvitationRows.delete(id, connection)
            }
        case .joinRequest:
            break
        case .device:
            throw .invalidArgument("the channel belongs to another device")
        }
        let messages = try ReplicaOutgoingRows.messages(
            request.channel, after: request.storedThrough, bytesMax: request.bytesMax, connection)
        return .done(.taken(messages))
    }

    private func isAnyWaiting(_ request: OutgoingRequest) throws(StoreError) -> Bool {
        try ReplicaOutgoingRows.areThere(request.channel, after: request.storedThrough, connection)
    }

    /// Records the sequence up to which the stream has this store's batches.
    ///
    /// - Returns: True if the row changed and has to be written.
    private func recordStoredSequence(_ sequence: UInt64, _ group: inout ReplicaGroupRow) -> Bool {
        let stored = min(sequence, group.lastSequence)
        guard stored > group.storedThrough else { return false }
        group.storedThrough = stored
        return true
    }

    /// Makes batches.
    ///
    /// - Parameter writes: True if the row of the group has already changed.
    /// - Returns: True if all changes are in batches, or enough batches wait.
    private func makeBatches(_ group: inout ReplicaGroupRow, writing writes: Bool) throws(StoreError) -> Bool {
        let isEnough = try ReplicaOutgoingRows.bytes(of: .device(group.device), connection) > Self.waitingBytesMax
        guard group.state == .receiving || group.state == .member, !isEnough else {
            if writes {
                try group.write(connection)
            }
            return true
        }
        if group.state == .member {
            try replica.group.publishPositions(&group)
        }
        try replica.group.askWhenBehind(&group)
        let isComplete = try replica.collecting.collectChanges(&group, .contentsFirst, writing: writes)
        if group.state == .member, try NamedBatchRows.isAnswerDue(now: now, connection) {
            try seal(knownBatches(), &group)
            try group.write(connection)
        }
        guard isComplete, group.state == .member, let walk = group.walk else { return isComplete }
        // Return false, so that the walk continues in the next step. If the agent got an answer without messages now,
        // it would wait for the next change.
        guard !slice.isOver else { return false }
        var walking = ReplicaWalkStep(group, sequence: group.lastSequence + 1)
        group.walk = try replica.snapshots.collectNext(of: walk, &walking)
        try seal(walking.payload, &group)
        try group.write(connection)
        return group.walk == nil
    }
}
