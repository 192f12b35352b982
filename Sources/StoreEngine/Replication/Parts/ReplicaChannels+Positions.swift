import ReplicaModel
import SQLCipher
import StoreBasics

/// The result of joining parts of a record.
enum ReplicaWhole {
    /// More parts are missing.
    case unfinished(nextSequence: UInt64)
    case records([ReplicaRecord])
    /// The parts are stored, and the last part has to be handed in again.
    case waits(ReplicaWait)
}

/// Records the positions of channels, and joins the parts of records.
extension ReplicaChannels {
    /// Stores a part until all parts of its record have arrived.
    ///
    /// - Returns: `nil` for a message that is not a part.
    func putTogether(_ merging: ReplicaMerging) throws(StoreError) -> ReplicaWhole? {
        guard merging.doneCount == 0, case .part(let part)? = merging.records.first else { return nil }
        let origin = merging.origin
        var group = try ReplicaGroupRow.required(connection, statistics.history)
        let beforeHash = try hash(before: origin, group)
        let known =
            try ReplicaPartRows.read(origin.channel, connection)
        var parts =
            known ?? ReplicaParts(beforeSequence: origin.sequence - 1, beforeHash: beforeHash, bytes: [])
        parts.bytes += part.piece
        let isTooLong = parts.bytes.count > PartRecord.totalBytesMax
        guard part.isLast || isTooLong else {
            try ReplicaPartRows.write(parts, of: origin.channel, connection)
            let next = try advancePosition(of: origin, 0, &group)
            try group.write(connection)
            return .unfinished(nextSequence: next)
        }
        let records: [ReplicaRecord]? = isTooLong ? [] : whole(parts.bytes)
        guard let records else { return .waits(.laterVersion) }
        if let wait = wait(for: records) { return .waits(wait) }
        return .records(records)
    }

    /// Returns the records; `nil` if only a later version of this program can read them. Malformed bytes are no error:
    /// the result is empty, on this device and on all others.
    private func whole(_ bytes: [UInt8]) -> [ReplicaRecord]? {
        switch Self.records(in: bytes) {
        case .success(let records): records
        case .failure(.unknownKind): nil
        case .failure(.malformed): []
        }
    }

    private func hash(before origin: ReplicaOrigin, _ group: ReplicaGroupRow) throws(StoreError) -> [UInt8] {
        switch origin.channel {
        case .snapshot: group.awaitedSnapshot?.lastHash ?? ReplicaGroupRow.noHash
        case .device, .joinRequest, .joinWelcome:
            try ReplicaMemberRows.read(origin.device, connection)?.mergedHash ?? ReplicaGroupRow.noHash
        }
    }

    /// Records that all of a message is merged.
    ///
    /// - Returns: The sequence of the next message.
    func advancePosition(
        of origin: ReplicaOrigin, _ aheadMilliseconds: UInt64, _ group: inout ReplicaGroupRow
    ) throws(StoreError) -> UInt64 {
        if var member = try ReplicaMemberRows.read(origin.device, connection) {
            if case .device = origin.channel, origin.sequence > member.mergedSequence {
                member.setPlace(origin.sequence, origin.hash)
                member.isPlaceUnconfirmed = false
            }
            member.mergedAt = now
            member.aheadMilliseconds = aheadMilliseconds
            try ReplicaMemberRows.write(member, connection)
        }
        guard case .snapshot(let id) = origin.channel, group.awaitedSnapshot?.id == id else {
            return origin.sequence + 1
        }
        group.awaitedSnapshot?.mergedChunks = origin.sequence
        group.awaitedSnapshot?.lastHash = origin.hash
        group.awaitedSnapshot?.heardAt = now
        return origin.sequence + 1
    }
}
