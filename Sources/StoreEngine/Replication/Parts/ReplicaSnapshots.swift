import ReplicaModel
import SQLCipher
import StoreBasics
import StoreCrypto

/// Writes the whole state for a device that cannot follow the batches.
struct ReplicaSnapshots: ReplicaPart {
    unowned let replica: ReplicaWrites
}

/// Everything that the store holds, as records, for a device that has none of it or has missed some.
extension ReplicaSnapshots {
    /// A device asks for a snapshot. It has one at a time, and only few have one, so that asking often costs no more
    /// than asking once.
    ///
    /// Requests may be read out of order. A request in a batch older than the last accepted one is ignored.
    ///
    /// - Parameters:
    ///   - sequence: of the batch with the request.
    ///   - epoch: The epoch that the request was sealed with.
    func takeSnapshotRequest(
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

    /// - Returns: `nil` for a device that gets no snapshot: it is not of the group, or not any more.
    private func requester(_ device: UInt64) throws(StoreError) -> ReplicaMember? {
        guard let member = try ReplicaMemberRows.read(device, connection), member.isInGroup else { return nil }
        return member
    }

    /// What was begun for a device goes, with what of it is not in the log yet.
    func dropSnapshots(for device: UInt64) throws(StoreError) {
        for id in try ReplicaSnapshotRows.ids(for: device, connection) {
            try ReplicaSnapshotRows.end(id, connection)
            _ = try ReplicaOutgoingRows.delete(.snapshot(id), through: UInt64(Int64.max), connection)
        }
    }

    /// The store is to make a snapshot. What is changed from now on is in batches behind the positions.
    ///
    /// - Parameter epoch: the greatest that the device surely has the key of.
    func beginSnapshot(
        _ id: ReplicaID, for device: UInt64, knowing epoch: EpochID, _ group: ReplicaGroupRow
    ) throws(StoreError) {
        guard try ReplicaSnapshotRows.read(id, connection) == nil else { return }
        try ReplicaSnapshotRows.write(
            ReplicaSnapshot(
                id: id, walk: .start, positions: try positions(group), requester: device, epoch: epoch), connection)
    }

    /// Up to which batches of each device everything is merged here, its own first.
    ///
    /// - Parameter isOfConfirmed: without those that another device has told and none of the device's own batches has
    ///   shown: what a snapshot has falsely said is not said again.
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

    /// Its next chunk, where none waits.
    ///
    /// - Returns: false where it goes on in the next step.
    func makeChunk(of id: ReplicaID, _ group: inout ReplicaGroupRow) throws(StoreError) -> Bool {
        guard var snapshot = try ReplicaSnapshotRows.read(id, connection), snapshot.requester != 0,
            try ReplicaOutgoingRows.bytes(of: .snapshot(id), connection) == 0
        else { return true }
        guard let walk = snapshot.walk, let requester = try requester(snapshot.requester),
            let isKeys = try tellKeys(to: requester, &snapshot, &group)
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
            for record in try groupRecords() {
                walking.add(record)
            }
        }
        snapshot.walk = try tellNext(of: walk, &walking)
        if snapshot.walk == nil {
            walking.add(.positions(snapshot.positions))
        }
        if !walking.payload.isEmpty {
            try replica.channels.seal(walking.payload, &snapshot, isLast: snapshot.walk == nil, group)
        }
        try ReplicaSnapshotRows.write(snapshot, connection)
        return !walking.payload.isEmpty
    }

    /// What is known of the group's devices.
    private func groupRecords() throws(StoreError) -> [ReplicaRecord] {
        // Nobody is given a key between being told of and being removed.
        try removals().map(ReplicaRecord.memberRemoval)
            + ReplicaMemberRows.all(connection).filter(\.isKnown).map { .member($0.record) }
    }

    /// Messages are missing that the log keeps no more: another device is asked for a snapshot, and after a while
    /// without an answer the next one.
    ///
    /// - Parameters:
    ///   - device: who is asked, where that matters.
    ///   - epoch: that the device has the key of; `nil`: the newest.
    /// - Returns: false where one is on its way, or there is nobody to ask.
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

    /// All chunks of the awaited snapshot up to its positions are merged.
    func endAwaitedSnapshot(_ positions: PositionsRecord, _ group: inout ReplicaGroupRow) throws(StoreError) {
        let maker = group.awaitedSnapshot?.maker
        for position in positions.positions where position.device != group.device {
            guard var member = try ReplicaMemberRows.read(position.device, connection) else { continue }
            // Of its own batches a device knows best how far they go.
            let isCorrection = member.isPlaceUnconfirmed && position.device == maker
            guard position.sequence > member.mergedSequence || isCorrection else { continue }
            member.setPlace(position.sequence, position.hash)
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
