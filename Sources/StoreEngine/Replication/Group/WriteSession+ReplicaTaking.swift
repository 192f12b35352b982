import ReplicaModel
import SQLCipher
import StoreBasics

/// Hands messages out to who brings them to the group's log.
extension WriteSession {
    /// While more than this waits in a channel, no more is made that may be made later.
    private static var waitingBytesMax: UInt64 { 4 << 20 }

    /// A step: forgets what the log has, makes what there is to tell, and gives what waits.
    mutating func take(_ take: ReplicaTake) throws(StoreError) -> WorkStep {
        var group = try ReplicaGroupRow.required(connection, statistics.history)
        let isForgotten = try ReplicaOutgoingRows.delete(take.channel, through: take.storedThrough, connection)
        switch take.channel {
        case .device(group.device):
            try noteStored(take.storedThrough, &group)
            guard try makeBatches(&group) else { return .unfinished(.replicaTaking(take)) }
            try askAgainForSnapshot(&group)
            try removeOldInvitations()
        case .snapshot(let id):
            guard try makeChunk(of: id, group) else { return .unfinished(.replicaTaking(take)) }
        case .joinWelcome(let id):
            // It was given, and is over.
            if isForgotten {
                try ReplicaInvitationRows.delete(id, connection)
            }
        case .joinRequest:
            break
        case .device:
            throw .invalidArgument("the channel is another device's")
        }
        let messages = try ReplicaOutgoingRows.messages(
            take.channel, after: take.storedThrough, bytesMax: take.bytesMax, connection)
        return .done(.replica(.taken(messages)))
    }

    /// Who was asked may be gone, or what it made may be. Where there is nobody else it is asked again, but seldom: it
    /// finds all requests when it comes back.
    private func askAgainForSnapshot(_ group: inout ReplicaGroupRow) throws(StoreError) {
        guard group.state == .receiving || group.state == .member, let awaited = group.awaitedSnapshot else { return }
        let hasOther = try ReplicaMemberRows.all(connection).contains {
            $0.device != awaited.maker && $0.isKnown && !$0.isRemoved && $0.fault == nil
        }
        guard hasOther || now.microseconds - awaited.heardAt.microseconds > Self.sameMakerMicroseconds else { return }
        try askForSnapshot(&group)
    }

    private static var sameMakerMicroseconds: Int64 { 21_600_000_000 }

    private func noteStored(_ sequence: UInt64, _ group: inout ReplicaGroupRow) throws(StoreError) {
        guard sequence > group.storedThrough else { return }
        group.storedThrough = min(sequence, group.lastSequence)
        try group.write(connection)
    }

    /// - Returns: whether all that was changed is in batches, or enough waits.
    private mutating func makeBatches(_ group: inout ReplicaGroupRow) throws(StoreError) -> Bool {
        guard group.state == .receiving || group.state == .member else { return true }
        let isEnough = try ReplicaOutgoingRows.bytes(of: .device(group.device), connection) > Self.waitingBytesMax
        guard !isEnough else { return true }
        let isComplete = try collectChanges(&group, .contentsFirst)
        if isComplete, group.state == .member, let walk = group.walk, !slice.isOver {
            var walking = ReplicaWalking(group, sequence: group.lastSequence + 1)
            group.walk = try tellNext(of: walk, &walking)
            try seal(walking.payload, &group)
            try group.write(connection)
            return group.walk == nil
        }
        return isComplete
    }
}
