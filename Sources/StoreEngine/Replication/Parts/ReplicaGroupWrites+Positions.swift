import ReplicaModel
import SQLCipher
import StoreBasics
import StoreCrypto

/// How devices notice that the log has lost the last batches of one that tells nothing more: each tells now and then
/// how far it has merged the others, and who is behind that for long asks for a snapshot.
extension ReplicaGroupWrites {
    /// By time alone, or beside what was told of changes here, and never for what others have told: a group at rest
    /// does not talk to itself.
    func tellPositions(_ group: inout ReplicaGroupRow, every microseconds: Int64) throws(StoreError) {
        guard ReplicaTimes.hasPassed(microseconds, since: group.positionsToldAt, now: now) else { return }
        if try !ReplicaAskables(connection).isEmpty {
            try replica.channels.seal([.positions(replica.snapshots.positions(group, ofConfirmed: true))], &group)
        }
        group.positionsToldAt = now
        try group.write(connection)
    }

    /// Another device has told how far it has merged the others.
    func noteTold(_ record: PositionsRecord, _ merge: inout ReplicaMergeStep) throws(StoreError) {
        for position in record.positions where position.device != merge.ownDevice && position.device != merge.device {
            guard var member = try ReplicaMemberRows.read(position.device, connection), member.isKnown else { continue }
            if member.isPlaceUnconfirmed, position.sequence < member.mergedSequence, member.isAskable {
                // One of the two is wrong, or behind: the device itself knows best.
                try ask(member.device, for: &member, under: nil, &merge.group)
            } else if member.noteTold(position.sequence, by: merge.device, at: now) {
                try ReplicaMemberRows.write(member, connection)
            }
        }
    }

    /// How far another device has merged this store's batches, for people: a place that it cannot have is none.
    func noteHeld(_ record: PositionsRecord, _ merge: ReplicaMergeStep) throws(StoreError) {
        guard let own = record.positions.first(where: { $0.device == merge.ownDevice }),
            own.sequence <= merge.group.lastSequence, var member = try ReplicaMemberRows.read(merge.device, connection)
        else { return }
        member.heldSequence = own.sequence
        member.heldAt = now
        try ReplicaMemberRows.write(member, connection)
    }

    /// Asks where what was told does not come, and again where a snapshot does not.
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
        try askOneAfterTheOther(for: &member, first: member.arrears.teller, &group)
    }

    /// Asks for messages of a device that the log has lost. The device itself has them and is asked first. If it does
    /// not answer in ten minutes, the others are asked, each once; then the device again, and the store waits for its
    /// answer. While nothing more of the device is merged, no device is asked a second time within six hours.
    ///
    /// - Parameter sequence: The sequence of a later batch of the device, which the log has.
    func askForLost(
        before sequence: UInt64, of member: inout ReplicaMember, _ group: inout ReplicaGroupRow
    ) throws(StoreError) {
        if member.noteGap(before: sequence, at: now) {
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

    /// - Returns: The device to ask, and whether every device was asked by then; `nil` to wait.
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

    /// A batch of a device is sealed with a key that is not known here. A message that tells it may be on its way; if
    /// none is, the device has the key.
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

    /// The key of the epoch was told by its maker, or made here.
    func isSure(_ epoch: EpochID, _ group: ReplicaGroupRow) throws(StoreError) -> Bool {
        try ReplicaEpochRows.isGranted(epoch, to: group.device, connection)
    }

    /// A key that only others than its maker have told does not open what a device has sealed: its maker tells the
    /// right one in a snapshot. Asked under another key, as what is sealed under this one may be read by nobody.
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

    /// - Parameter first: who is the likeliest to have it.
    private func askOneAfterTheOther(
        for member: inout ReplicaMember, first: UInt64?, _ group: inout ReplicaGroupRow
    ) throws(StoreError) {
        let askables = try ReplicaAskables(connection)
        let asked = member.arrears.askedDevice
        let likeliest = asked == nil ? first.flatMap { askables.contains($0) ? $0 : nil } : nil
        guard let device = likeliest ?? askables.next(after: asked ?? 0) else { return }
        try ask(device, for: &member, under: nil, &group)
    }

    /// Asks one device for a snapshot for the sake of another one's batches, once in a while: who lies about them does
    /// not keep this store busy.
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
