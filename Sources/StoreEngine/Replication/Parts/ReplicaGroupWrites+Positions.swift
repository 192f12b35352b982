import ReplicaModel
import SQLCipher
import StoreBasics
import StoreCrypto

/// Detects that the stream has lost the last batches of a device that publishes nothing more. Each device reports its
/// positions from time to time, and a device that stays below the reported positions requests a snapshot.
extension ReplicaGroupWrites {
    /// Publishes this store's positions once a day. Batches of other devices never cause it. Otherwise the devices of
    /// an idle group would answer each other's positions without end.
    func publishPositions(_ group: inout ReplicaGroupRow) throws(StoreError) {
        guard ReplicaTimes.hasPassed(ReplicaTimes.positions, since: group.positionsPublishedAt, now: now) else {
            return
        }
        if try !ReplicaAskables(connection).isEmpty {
            try replica.channels.seal([.positions(replica.snapshots.positions(group, ofConfirmed: true))], &group)
        }
        group.positionsPublishedAt = now
        try group.write(connection)
    }

    /// Records the positions that another device has reported.
    func recordReportedPositions(_ record: PositionsRecord, _ merge: inout ReplicaMergeStep) throws(StoreError) {
        for position in record.positions where position.device != merge.ownDevice && position.device != merge.device {
            guard var member = try ReplicaMemberRows.read(position.device, connection), member.isKnown else { continue }
            if member.isPlaceUnconfirmed, position.sequence < member.mergedSequence, member.isAskable {
                // One of the two positions is wrong or old. The device itself knows its position best.
                try ask(member.device, for: &member, under: nil, &merge.group)
            } else if member.recordReportedSequence(position.sequence, by: merge.device, at: now) {
                try ReplicaMemberRows.write(member, connection)
            }
        }
    }

    /// Records how far another device has merged this store's batches, for `status`. An impossible position is ignored.
    func recordMergedPosition(_ record: PositionsRecord, _ merge: ReplicaMergeStep) throws(StoreError) {
        guard let own = record.positions.first(where: { $0.device == merge.ownDevice }) else { return }
        try recordHeld(own.sequence, merge)
    }

    /// Records how far another device has merged this store's batches, if its batch names one of them.
    func recordMergedBatch(_ record: KnownBatchesRecord, _ merge: ReplicaMergeStep) throws(StoreError) {
        guard let own = record.last.first(where: { $0.device == merge.ownDevice }) else { return }
        try recordHeld(own.sequence, merge)
    }

    private func recordHeld(_ sequence: UInt64, _ merge: ReplicaMergeStep) throws(StoreError) {
        guard sequence <= merge.group.lastSequence,
            var member = try ReplicaMemberRows.read(merge.device, connection)
        else { return }
        member.heldSequence = sequence
        member.heldAt = now
        try ReplicaMemberRows.write(member, connection)
    }

    /// Returns whether a batch has to wait because its device had merged batches of other devices that are not merged
    /// here yet. Otherwise this store could find a conflict between two changes although the author of the second knew
    /// the first.
    ///
    /// Batches wait a minute at most for the batches of one device. They do not wait for lost batches or for a device
    /// whose batches are refused. A batch with keys does not wait, because another batch may be waiting for its keys.
    func mustAwaitOthers(
        _ records: [ReplicaRecord], of maker: UInt64, _ group: ReplicaGroupRow
    ) throws(StoreError) -> Bool {
        let hasKeys = records.contains { if case .epoch = $0 { true } else { false } }
        var mustWait = false
        for case .knownBatches(let record) in records {
            for last in record.last where last.device != group.device && last.device != maker {
                guard var member = try ReplicaMemberRows.read(last.device, connection), member.isKnown,
                    member.fault == nil, min(last.sequence, member.removedThrough ?? .max) > member.mergedSequence
                else { continue }
                let isNew = member.recordReportedSequence(last.sequence, by: maker, at: now)
                let since = member.arrears.orderAwaitedSince ?? now
                if isNew || member.arrears.orderAwaitedSince == nil {
                    member.arrears.orderAwaitedSince = since
                    try ReplicaMemberRows.write(member, connection)
                }
                if !member.isGapped, !ReplicaTimes.hasPassed(ReplicaTimes.order, since: since, now: now) {
                    mustWait = true
                }
            }
        }
        return mustWait && !hasKeys
    }

    /// Requests a snapshot if reported batches do not arrive, or if a requested snapshot does not.
    func askWhenBehind(_ group: inout ReplicaGroupRow) throws(StoreError) {
        if let awaited = group.awaitedSnapshot {
            // For lost messages, wait longer: the device that has them may be off, and answers as soon as it is on.
            let isGapped = try ReplicaMemberRows.all(connection).contains(where: \.isGapped)
            let quiet = isGapped ? ReplicaTimes.askingAgain : ReplicaTimes.quietChunk
            if ReplicaTimes.hasPassed(quiet, since: awaited.heardAt, now: now) {
                try replica.snapshots.askForSnapshot(&group)
            }
            return
        }
        guard var member = try ReplicaMemberRows.behind(now: now, connection) else { return }
        try askOneAfterTheOther(for: &member, first: member.arrears.reporter, &group)
    }

    /// Requests a device's messages that the stream has lost. The device itself has them and is asked first. If it does
    /// not answer in ten minutes, the other devices are asked in turn, each once. Then the device itself is asked
    /// again. If no more of its batches are merged, the next request follows six hours later.
    ///
    /// - Parameter sequence: The sequence of a later batch of the device, which the stream has.
    func askForLost(
        before sequence: UInt64, of member: inout ReplicaMember, _ group: inout ReplicaGroupRow
    ) throws(StoreError) {
        if member.recordGap(before: sequence, at: now) {
            try ReplicaMemberRows.write(member, connection)
        }
        let order = try ReplicaAskables(connection).order(for: member.device)
        guard let (device, isRoundOver) = nextToAsk(order, for: member),
            try replica.snapshots.askForSnapshot(&group, of: device)
        else { return }
        member.arrears.askedDevice = device
        member.arrears.askedAt = now
        member.isRoundOver = isRoundOver
        try ReplicaMemberRows.write(member, connection)
    }

    /// - Returns: The device to ask, and whether every device has been asked already; `nil` to wait.
    private func nextToAsk(_ order: [UInt64], for member: ReplicaMember) -> (UInt64, isRoundOver: Bool)? {
        guard let first = order.first else { return nil }
        guard let asked = member.arrears.askedDevice, let place = order.firstIndex(of: asked) else {
            return (first, false)
        }
        let mayAskAgain =
            member.arrears.askedAt.map {
                ReplicaTimes.hasPassed(ReplicaTimes.askingAgain, since: $0, now: now)
            } ?? true
        guard !member.isRoundOver || mayAskAgain else { return nil }
        if let next = order.dropFirst(place + 1).first { return (next, false) }
        return first == member.device || mayAskAgain ? (first, true) : nil
    }

    // MARK: Keys

    /// Makes a device's batch wait for its key. A message with the key may be on its way; if none arrives, the device
    /// itself is asked.
    func awaitKey(
        of member: inout ReplicaMember, _ group: inout ReplicaGroupRow
    ) throws(StoreError) -> ReplicaHandedIn {
        guard let since = member.arrears.keyAwaitedSince else {
            member.arrears.keyAwaitedSince = now
            member.arrears.askedDevice = nil
            try ReplicaMemberRows.write(member, connection)
            return .waits(.epochUnknown)
        }
        if ReplicaTimes.hasPassed(ReplicaTimes.key, since: since, now: now) {
            try askOneAfterTheOther(for: &member, first: member.device, &group)
        }
        return .waits(.epochUnknown)
    }

    /// Returns whether the key of the epoch came from its maker, or was made here.
    func isSure(_ epoch: EpochID, _ group: ReplicaGroupRow) throws(StoreError) -> Bool {
        try ReplicaEpochRows.isGranted(epoch, to: group.device, connection)
    }

    /// Asks the maker of an epoch for a snapshot, because the key that other devices gave for this epoch does not open
    /// a batch. The request is sealed under another epoch: this store's key for the given epoch may be false, and then
    /// no other device could open the request.
    func askMaker(
        of epoch: EpochID, for member: inout ReplicaMember, _ group: inout ReplicaGroupRow
    ) throws(StoreError) -> ReplicaHandedIn {
        let others = try ReplicaEpochRows.known(connection).filter { $0 != epoch }
        var readable: EpochID?
        for other in others where readable == nil {
            readable = try isSure(other, group) ? other : nil
        }
        if try ReplicaMemberRows.read(epoch.maker, connection)?.isAskable ?? false {
            try ask(epoch.maker, for: &member, under: readable ?? others.first { $0 < epoch }, &group)
        }
        return .waits(.epochUnknown)
    }

    // MARK: Asking

    /// Asks the next device in turn.
    ///
    /// - Parameter first: The device that most likely has the messages.
    private func askOneAfterTheOther(
        for member: inout ReplicaMember, first: UInt64?, _ group: inout ReplicaGroupRow
    ) throws(StoreError) {
        let askables = try ReplicaAskables(connection)
        let asked = member.arrears.askedDevice
        let likeliest = asked == nil ? first.flatMap { askables.contains($0) ? $0 : nil } : nil
        guard let device = likeliest ?? askables.next(after: asked ?? 0) else { return }
        try ask(device, for: &member, under: nil, &group)
    }

    /// Asks a device for a snapshot because batches of a member are missing. Does so at most once in six hours for each
    /// member, so that false reports do not keep this store busy.
    private func ask(
        _ device: UInt64, for member: inout ReplicaMember, under epoch: EpochID?, _ group: inout ReplicaGroupRow
    ) throws(StoreError) {
        if let askedAt = member.arrears.askedAt,
            !ReplicaTimes.hasPassed(ReplicaTimes.askingAgain, since: askedAt, now: now)
        {
            return
        }
        guard try replica.snapshots.askForSnapshot(&group, of: device, under: epoch) else { return }
        member.arrears.askedDevice = device
        member.arrears.askedAt = now
        try ReplicaMemberRows.write(member, connection)
    }
}
