import ReplicaModel
import SQLCipher
import StoreBasics
import StoreCrypto

/// The part of replication that makes snapshots of the whole replicated content for devices that lack messages of the
/// stream.
struct ReplicaSnapshots: ReplicaPart {
    unowned let replica: ReplicaWrites
}

/// Makes and requests snapshots, and ends the awaited one.
extension ReplicaSnapshots {
    /// Accepts the request of a device for a snapshot. Each device has one snapshot at a time, and only a few devices
    /// have one at the same time. This limits the work that many requests cause.
    ///
    /// Requests may be read out of order. A request in a batch older than the last accepted one is ignored.
    ///
    /// - Parameters:
    ///   - sequence: The sequence of the batch with the request.
    ///   - epoch: The epoch that the request was sealed with.
    func acceptSnapshotRequest(
        _ request: SnapshotRequestRecord, by device: UInt64, in sequence: UInt64, under epoch: EpochID,
        _ group: ReplicaGroupRow
    ) throws(StoreError) {
        guard try ReplicaSnapshotRows.read(request.id, connection) == nil, try requester(device) != nil,
            try sequence > ReplicaMemberRows.askedIn(device, connection)
        else { return }
        try dropSnapshots(for: device)
        guard try ReplicaSnapshotRows.ids(connection).count < ReplicaLimits.snapshotsMax else { return }
        try beginSnapshot(request.id, for: device, knowing: epoch, group)
        try ReplicaMemberRows.setAskedIn(sequence, by: device, connection)
    }

    /// Returns the device that requests a snapshot; `nil` if it is not a member.
    private func requester(_ device: UInt64) throws(StoreError) -> ReplicaMember? {
        guard let member = try ReplicaMemberRows.read(device, connection), member.isInGroup else { return nil }
        return member
    }

    /// Ends the snapshots for a device, and deletes the chunks that the stream does not have yet.
    func dropSnapshots(for device: UInt64) throws(StoreError) {
        for id in try ReplicaSnapshotRows.ids(for: device, connection) {
            try ReplicaSnapshotRows.end(id, connection)
            _ = try ReplicaOutgoingRows.delete(.snapshot(id), through: UInt64(Int64.max), connection)
        }
    }

    /// Begins a snapshot. Later changes are in batches after the snapshot's positions.
    ///
    /// - Parameter epoch: The greatest epoch whose key the device certainly has.
    func beginSnapshot(
        _ id: ReplicaID, for device: UInt64, knowing epoch: EpochID, _ group: ReplicaGroupRow
    ) throws(StoreError) {
        guard try ReplicaSnapshotRows.read(id, connection) == nil else { return }
        try ReplicaSnapshotRows.write(
            ReplicaSnapshot(
                id: id, walk: .start, positions: try positions(group), requester: device, epoch: epoch), connection)
    }

    /// Returns the positions of all devices up to which this store has merged everything, its own first.
    ///
    /// - Parameter isOfConfirmed: True to leave out positions that come from another device's snapshot and that no
    ///   batch of the device has confirmed, so that a false position does not spread.
    func positions(
        _ group: ReplicaGroupRow, ofConfirmed isOfConfirmed: Bool = false
    ) throws(StoreError) -> PositionsRecord {
        var positions = [
            PositionsRecord.Position(device: group.device, sequence: group.lastSequence, hash: group.lastHash)
        ]
        for member in try ReplicaMemberRows.all(connection) where !isOfConfirmed || !member.isPlaceUnconfirmed {
            let parts = try ReplicaPartRows.read(.device(member.device), connection)
            positions.append(
                PositionsRecord.Position(
                    device: member.device, sequence: parts?.beforeSequence ?? member.mergedSequence,
                    hash: parts?.beforeHash ?? member.mergedHash))
        }
        return PositionsRecord(positions: positions)
    }

    /// Makes the next chunk of a snapshot if the stream already has the previous chunk.
    ///
    /// - Returns: False if the next step has to continue.
    func makeChunk(of id: ReplicaID, _ group: inout ReplicaGroupRow) throws(StoreError) -> Bool {
        guard var snapshot = try ReplicaSnapshotRows.read(id, connection), snapshot.requester != 0,
            try ReplicaOutgoingRows.bytes(of: .snapshot(id), connection) == 0
        else { return true }
        guard let walk = snapshot.walk, let requester = try requester(snapshot.requester),
            let isKeys = try grantKeys(to: requester, &snapshot, &group)
        else {
            try ReplicaSnapshotRows.end(id, connection)
            return true
        }
        guard !isKeys else {
            try ReplicaSnapshotRows.write(snapshot, connection)
            return true
        }
        let own = snapshot.positions.positions.first { $0.device == group.device }
        var walking = ReplicaWalkStep(group, sequence: own?.sequence ?? 0)
        if walk == .start {
            // Daemons of schema 5 do not know this record, so they wait with the snapshot until they are upgraded.
            walking.add(.knownBatches(KnownBatchesRecord(last: [])))
            for record in try groupRecords() {
                walking.add(record)
            }
        }
        snapshot.walk = try collectNext(of: walk, &walking)
        if snapshot.walk == nil {
            walking.add(.positions(snapshot.positions))
        }
        if !walking.payload.isEmpty {
            try replica.channels.seal(walking.payload, &snapshot, isLast: snapshot.walk == nil, group)
        }
        try ReplicaSnapshotRows.write(snapshot, connection)
        return !walking.payload.isEmpty
    }

    /// Returns the removals and the members of the group.
    private func groupRecords() throws(StoreError) -> [ReplicaRecord] {
        // Removals come first. Otherwise the receiver could give a removed device a key before it reads the removal.
        try removals().map(ReplicaRecord.memberRemoval)
            + ReplicaMemberRows.all(connection).filter(\.isKnown).map { .member($0.record) }
    }

    /// Requests a snapshot from another device, because the stream no longer has messages that are needed. If no answer
    /// arrives for a time, the next device is asked.
    ///
    /// - Parameters:
    ///   - device: The device to ask; `nil` for the most suitable one.
    ///   - epoch: An epoch whose key the device has; `nil` for the newest.
    /// - Returns: False if a snapshot is on its way, or there is no device to ask.
    @discardableResult func askForSnapshot(
        _ group: inout ReplicaGroupRow, of device: UInt64? = nil, under epoch: EpochID? = nil
    ) throws(StoreError) -> Bool {
        let awaited = group.awaitedSnapshot
        if let awaited, !ReplicaTimes.hasPassed(ReplicaTimes.chunk, since: awaited.heardAt, now: now) { return false }
        let askables = try ReplicaAskables(connection)
        let other = awaited.map { askables.next(after: $0.maker) } ?? askables.newest
        guard let maker = device ?? other else { return false }
        let id = ReplicaID.random()
        if let awaited {
            try ReplicaPartRows.delete(.snapshot(awaited.id), connection)
        }
        let request = ReplicaGroupRow.AwaitedSnapshot(id: id, maker: maker, heardAt: now)
        group.awaitedSnapshot = request
        try replica.channels.seal(request.record, &group, under: epoch)
        try group.write(connection)
        return true
    }

    /// Ends the awaited snapshot and adopts the snapshot's positions, because everything up to them is merged now.
    func endAwaitedSnapshot(_ positions: PositionsRecord, _ group: inout ReplicaGroupRow) throws(StoreError) {
        let maker = group.awaitedSnapshot?.maker
        for position in positions.positions where position.device != group.device {
            guard var member = try ReplicaMemberRows.read(position.device, connection) else { continue }
            // A device's own position is the most reliable one.
            let isCorrection = member.isPlaceUnconfirmed && position.device == maker
            guard position.sequence > member.mergedSequence || isCorrection else { continue }
            member.setPlace(position.sequence, position.hash)
            member.isPlaceUnconfirmed = position.device != maker
            try ReplicaMemberRows.write(member, connection)
            try NamedBatchRows.recordChanges(of: position.device, at: now, connection)
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
