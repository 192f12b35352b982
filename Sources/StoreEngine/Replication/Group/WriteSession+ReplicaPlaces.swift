import ReplicaModel
import SQLCipher
import StoreBasics

/// What came of parts that belong together.
struct ReplicaWhole {
    /// `nil`: more of them are to come.
    var records: [ReplicaRecord]?
    var nextSequence: UInt64
}

/// Which messages of a channel are merged.
extension WriteSession {
    /// Keeps a part until those behind it are there.
    ///
    /// - Returns: `nil` for a message that is no part.
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
            let next = try notePlace(of: origin, 0, &group)
            try group.write(connection)
            return ReplicaWhole(records: nil, nextSequence: next)
        }
        try ReplicaPartRows.delete(origin.channel, connection)
        // What nobody can read, nobody merges: everywhere the same.
        guard !isTooLong, case .success(let records) = Self.records(in: parts.bytes) else {
            return ReplicaWhole(records: [], nextSequence: 0)
        }
        return ReplicaWhole(records: records, nextSequence: 0)
    }

    private func hash(before origin: ReplicaOrigin, _ group: ReplicaGroupRow) throws(StoreError) -> [UInt8] {
        switch origin.channel {
        case .snapshot: group.awaitedSnapshot?.lastHash ?? ReplicaGroupRow.noHash
        case .device, .joinRequest, .joinWelcome:
            try ReplicaMemberRows.read(origin.device, connection)?.mergedHash ?? ReplicaGroupRow.noHash
        }
    }

    /// All of a message is merged.
    ///
    /// - Returns: the sequence of the next.
    func notePlace(
        of origin: ReplicaOrigin, _ aheadMilliseconds: UInt64, _ group: inout ReplicaGroupRow
    ) throws(StoreError) -> UInt64 {
        if var member = try ReplicaMemberRows.read(origin.device, connection) {
            if case .device = origin.channel, origin.sequence > member.mergedSequence {
                member.mergedSequence = origin.sequence
                member.mergedHash = origin.hash
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
