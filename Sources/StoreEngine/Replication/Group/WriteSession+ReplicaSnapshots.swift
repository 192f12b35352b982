import ReplicaModel
import SQLCipher
import StoreBasics
import StoreCrypto

/// Everything that the store holds, as records, for a device that has none of it or has missed some.
extension WriteSession {
    /// A device asks for a snapshot. It has one at a time, and only few have one, so that asking often costs no more
    /// than asking once.
    func takeSnapshotRequest(
        _ request: SnapshotRequestRecord, by device: UInt64, _ group: ReplicaGroupRow
    ) throws(StoreError) {
        guard try ReplicaSnapshotRows.read(request.id, connection) == nil else { return }
        try dropSnapshots(for: device)
        guard try ReplicaSnapshotRows.ids(connection).count < ReplicaLimits.snapshotsMax else { return }
        try beginSnapshot(request.id, for: device, group)
    }

    /// What was begun for a device goes, with what of it is not in the log yet.
    func dropSnapshots(for device: UInt64) throws(StoreError) {
        for id in try ReplicaSnapshotRows.ids(for: device, connection) {
            try ReplicaSnapshotRows.end(id, connection)
            _ = try ReplicaOutgoingRows.delete(.snapshot(id), through: UInt64(Int64.max), connection)
        }
    }

    /// The store is to make a snapshot. What is changed from now on is in batches behind the positions.
    func beginSnapshot(_ id: ReplicaID, for device: UInt64, _ group: ReplicaGroupRow) throws(StoreError) {
        guard try ReplicaSnapshotRows.read(id, connection) == nil else { return }
        var positions = [
            PositionsRecord.Position(device: group.device, sequence: group.lastSequence, hash: group.lastHash)
        ]
        for member in try ReplicaMemberRows.all(connection) {
            let parts = try ReplicaPartRows.read(.device(member.device), connection)
            positions.append(
                PositionsRecord.Position(
                    device: member.device, sequence: parts?.beforeSequence ?? member.mergedSequence,
                    hash: parts?.beforeHash ?? member.mergedHash))
        }
        try ReplicaSnapshotRows.write(
            ReplicaSnapshot(
                id: id, walk: .start, positions: PositionsRecord(positions: positions), requester: device), connection)
    }

    /// Its next chunk, where none waits.
    ///
    /// - Returns: false where it goes on in the next step.
    mutating func makeChunk(of id: ReplicaID, _ group: ReplicaGroupRow) throws(StoreError) -> Bool {
        guard var snapshot = try ReplicaSnapshotRows.read(id, connection), snapshot.requester != 0,
            try ReplicaOutgoingRows.bytes(of: .snapshot(id), connection) == 0
        else { return true }
        guard let walk = snapshot.walk else {
            try ReplicaSnapshotRows.end(id, connection)
            return true
        }
        let own = snapshot.positions.positions.first { $0.device == group.device }
        var walking = ReplicaWalking(group, sequence: own?.sequence ?? 0)
        if walk == .start {
            for record in try groupRecords(group) {
                walking.add(record)
            }
        }
        snapshot.walk = try tellNext(of: walk, &walking)
        if snapshot.walk == nil {
            walking.add(.positions(snapshot.positions))
        }
        if !walking.payload.isEmpty {
            try seal(walking.payload, &snapshot, isLast: snapshot.walk == nil, group)
        }
        try ReplicaSnapshotRows.write(snapshot, connection)
        return !walking.payload.isEmpty
    }

    /// What is known of the group's devices.
    private func groupRecords(_ group: ReplicaGroupRow) throws(StoreError) -> [ReplicaRecord] {
        var records: [ReplicaRecord] = []
        for member in try ReplicaMemberRows.all(connection) {
            if member.isKnown {
                records.append(.member(member.record))
            }
            if let sequence = member.removedThrough {
                records.append(
                    .memberRemoval(MemberRemovalRecord(device: member.device, throughSequence: sequence)))
            }
        }
        return records
    }

    /// Messages are missing that the log keeps no more: another device is asked for a snapshot, and after a while
    /// without
    /// an answer the next one.
    ///
    /// - Parameter device: who is asked, where that matters.
    func askForSnapshot(_ group: inout ReplicaGroupRow, of device: UInt64? = nil) throws(StoreError) {
        let awaited = group.awaitedSnapshot
        if let awaited, now.microseconds - awaited.heardAt.microseconds < Self.snapshotMicrosecondsMax { return }
        let members = try ReplicaMemberRows.all(connection).filter { $0.isKnown && !$0.isRemoved && $0.fault == nil }
        // Who was heard of last is the likeliest to be there.
        let byNews = members.sorted { left, right in
            (left.mergedAt?.microseconds ?? .min) > (right.mergedAt?.microseconds ?? .min)
        }
        let other = byNews.first { $0.device != awaited?.maker } ?? byNews.first
        guard let maker = device ?? other?.device else { return }
        let id = ReplicaID.random()
        if let awaited {
            try ReplicaPartRows.delete(.snapshot(awaited.id), connection)
        }
        group.awaitedSnapshot = ReplicaGroupRow.AwaitedSnapshot(id: id, maker: maker, heardAt: now)
        try seal([.snapshotRequest(SnapshotRequestRecord(id: id, maker: maker))], &group)
        try group.write(connection)
    }

    private static var snapshotMicrosecondsMax: Int64 { 600_000_000 }

    /// All chunks of the awaited snapshot up to its positions are merged.
    mutating func note(_ positions: PositionsRecord, _ group: inout ReplicaGroupRow) throws(StoreError) {
        let maker = group.awaitedSnapshot?.maker
        for position in positions.positions where position.device != group.device {
            guard var member = try ReplicaMemberRows.readOrNew(position.device, connection) else { continue }
            // Of its own batches a device knows best how far they go.
            let isCorrection = member.isPlaceUnconfirmed && position.device == maker
            guard position.sequence > member.mergedSequence || isCorrection else { continue }
            member.mergedSequence = position.sequence
            member.mergedHash = position.hash
            member.isPlaceUnconfirmed = position.device != maker
            try ReplicaMemberRows.write(member, connection)
            try ReplicaPartRows.delete(.device(position.device), connection)
        }
        if let awaited = group.awaitedSnapshot {
            try ReplicaPartRows.delete(.snapshot(awaited.id), connection)
        }
        group.awaitedSnapshot = nil
        if group.state == .receiving {
            group.state = .member
        }
    }
}
