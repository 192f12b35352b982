import ReplicaModel
import SQLCipher
import StoreBasics
import StoreCrypto

/// The progress of merging one received message.
struct ReplicaMerging: WorkProgress {
    let origin: ReplicaOrigin
    let records: [ReplicaRecord]
    /// The number of records that are merged, from the first.
    var doneCount = 0
}

/// The message from which merged records come.
struct ReplicaOrigin: Sendable {
    let channel: ReplicaChannel
    let sequence: UInt64
    let hash: [UInt8]
    /// The device that made the message.
    let device: UInt64
    /// The epoch that sealed the message.
    let epoch: EpochID
    /// The group of the message, and the device as which this store merges it. The store may leave the group and join
    /// another between two steps.
    let group: ReplicaID
    let mergingDevice: UInt64

    var isSnapshot: Bool { if case .snapshot = channel { true } else { false } }
}

/// The result of examining a message.
private enum OpenedMessage {
    case records([ReplicaRecord], ReplicaOrigin)
    /// The outcome is known, and nothing is to be merged.
    case settled(ReplicaHandedIn)

    static var early: OpenedMessage { .settled(.waits(.membership)) }
}

/// Accepts messages of the group's stream. Before the records of a message are merged, all local changes are put into
/// batches. The position of the message's channel advances in the same transaction as the last record. So a message may
/// be handed in again at any time.
extension ReplicaChannels {
    /// Examines a received message, or continues to merge its records, as many as fit in a step.
    func handIn(
        _ message: ReplicaMessage, after work: (any WorkProgress)?
    ) throws(StoreError) -> WorkStep<ReplicaResult> {
        var group = try ReplicaGroupRow.required(connection, statistics.history)
        if let begun = work as? ReplicaMerging {
            guard begun.origin.group == group.id, begun.origin.mergingDevice == group.device else {
                return .handedIn(.refused(.otherGroup))
            }
            return try replica.merging.merge(begun, &group)
        }
        guard group.state != .removed else { return .handedIn(.refused(.notAwaited)) }
        switch message.channel {
        case .joinRequest(let id):
            return .handedIn(try replica.group.acceptJoinRequest(message.bytes, by: id, &group))
        case .joinWelcome(let id):
            return .handedIn(try replica.group.acceptWelcome(message.bytes, by: id, &group))
        case .device(let device):
            return try merge(group.state == .joining ? .early : openBatch(message, of: device, &group), &group)
        case .snapshot(let id):
            return try merge(group.state == .joining ? .early : openChunk(message.bytes, of: id, &group), &group)
        }
    }

    private func merge(
        _ opened: OpenedMessage, _ group: inout ReplicaGroupRow
    ) throws(StoreError) -> WorkStep<ReplicaResult> {
        switch opened {
        case .settled(let outcome): .handedIn(outcome)
        case .records(let records, let origin):
            try replica.merging.merge(ReplicaMerging(origin: origin, records: records), &group)
        }
    }

    // MARK: Batches

    private func openBatch(
        _ message: ReplicaMessage, of device: UInt64, _ group: inout ReplicaGroupRow
    ) throws(StoreError) -> OpenedMessage {
        let header: BatchHeader
        switch Self.header(of: message.bytes, BatchHeader.self) {
        case .success(let read): header = read
        case .failure(let rejection): return .settled(rejection.outcome)
        }
        guard header.group == group.id.bytes else { return .settled(.refused(.otherGroup)) }
        guard header.device == device else { return .settled(.refused(.otherChannel)) }
        guard device != group.device else { return .settled(try judgeOwnBatch(message.bytes, header, group)) }
        guard var member = try ReplicaMemberRows.read(device, connection), member.isKnown else {
            return .settled(.waits(.deviceUnknown))
        }
        if let fault = member.fault { return .settled(.refused(fault)) }
        if let last = member.removedThrough, header.sequence > last { return .settled(.refused(.deviceRemoved)) }
        if header.sequence < member.mergedSequence {
            return .settled(.merged(nextSequence: member.mergedSequence + 1))
        }
        guard let opened = try plaintext(of: message.bytes, header, by: member.signingKey) else {
            return .settled(.refused(.forged))
        }
        let hash = BatchEnvelope.hash(of: message.bytes)
        try acceptSnapshotRequestEarly(opened, header, member, group)
        if let settled = try order(header, hash, isOldestKept: message.isOldestKept, &member, &group) {
            return .settled(settled)
        }
        let origin = ReplicaOrigin(
            channel: message.channel, sequence: header.sequence, hash: hash, device: device, epoch: header.epoch,
            group: group.id, mergingDevice: group.device)
        return try read(opened, origin, &member, &group)
    }

    /// Returns the records of an opened message that is the next one of its channel, or the outcome if they cannot be
    /// merged now.
    private func read(
        _ opened: OpenedEnvelope, _ origin: ReplicaOrigin, _ maker: inout ReplicaMember,
        _ group: inout ReplicaGroupRow, isWhole: ([ReplicaRecord]) -> Bool = { _ in true }
    ) throws(StoreError) -> OpenedMessage {
        switch opened {
        case .keyUnknown:
            return .settled(origin.isSnapshot ? .waits(.epochUnknown) : try replica.group.awaitKey(of: &maker, &group))
        case .unopened:
            guard try replica.group.isSure(origin.epoch, group) else {
                return .settled(try replica.group.askMaker(of: origin.epoch, for: &maker, &group))
            }
            return .settled(try refuse(&maker, .notOpened, in: origin))
        case .plaintext(let plaintext):
            switch Self.records(in: plaintext) {
            case .success(let records) where isWhole(records):
                if let wait = wait(for: records) { return .settled(.waits(wait)) }
                if !origin.isSnapshot, try replica.group.mustAwaitOthers(records, of: maker.device, group) {
                    return .settled(.waits(.otherBatch))
                }
                return .records(records, origin)
            case .failure(.unknownKind): return .settled(.waits(.laterVersion))
            case .success, .failure(.malformed): return .settled(try refuse(&maker, .malformed, in: origin))
            }
        }
    }

    private enum OpenedEnvelope {
        case plaintext([UInt8])
        case keyUnknown
        case unopened
    }

    /// Checks the signature of a message and opens the message. Returns `nil` if the signature is not valid.
    private func plaintext<Header: EnvelopeHeader>(
        of bytes: [UInt8], _ header: Header, by signingKey: [UInt8]
    ) throws(StoreError) -> OpenedEnvelope? {
        let key = try ReplicaEpochRows.key(of: header.epoch, connection)
        do throws(CryptoError) {
            guard let key else {
                try Envelope<Header>.verify(bytes, signingKey: signingKey)
                return .keyUnknown
            }
            return .plaintext(try Envelope<Header>.open(bytes, signingKey: signingKey, epochKey: key))
        } catch {
            switch error.code {
            case .batchForged, .snapshotForged: return nil
            case .batchNotOpened, .snapshotNotOpened: return .unopened
            default: throw StoreError(error)
            }
        }
    }

    /// Returns the outcome for a batch that is not the next batch of its device; `nil` for the next one.
    private func order(
        _ header: BatchHeader, _ hash: [UInt8], isOldestKept: Bool, _ member: inout ReplicaMember,
        _ group: inout ReplicaGroupRow
    ) throws(StoreError) -> ReplicaHandedIn? {
        let next = member.mergedSequence + 1
        if header.sequence == member.mergedSequence {
            return hash == member.mergedHash ? .merged(nextSequence: next) : try refuseFork(&member, &group)
        }
        guard header.sequence == next else {
            guard isOldestKept else { return .waits(.earlierMessage(sequence: next)) }
            try replica.group.askForLost(before: header.sequence, of: &member, &group)
            return .waits(.snapshot)
        }
        return header.previousHash == member.mergedHash ? nil : try refuseFork(&member, &group)
    }

    /// Accepts a request for a snapshot in a batch that cannot be merged yet. If this store and the batch's device each
    /// lack a message of the other, each would otherwise wait for the other and never read its request.
    private func acceptSnapshotRequestEarly(
        _ opened: OpenedEnvelope, _ header: BatchHeader, _ member: ReplicaMember, _ group: ReplicaGroupRow
    ) throws(StoreError) {
        guard header.sequence > member.mergedSequence + 1, case .plaintext(let plaintext) = opened,
            case .success(let records) = Self.records(in: plaintext)
        else { return }
        for case .snapshotRequest(let request) in records where request.maker == group.device {
            try replica.snapshots.acceptSnapshotRequest(
                request, by: member.device, in: header.sequence, under: header.epoch, group)
        }
    }

    /// Handles a batch that does not follow the merged batches of its device. If the position of the merged batches
    /// came from another device's snapshot and is not confirmed, it was wrong, and the device itself is asked for a
    /// snapshot. Otherwise the device is refused.
    private func refuseFork(
        _ member: inout ReplicaMember, _ group: inout ReplicaGroupRow
    ) throws(StoreError) -> ReplicaHandedIn {
        guard member.isPlaceUnconfirmed, !member.isRemoved else { return try refuse(&member, .forked) }
        try replica.snapshots.askForSnapshot(&group, of: member.device)
        return .waits(.snapshot)
    }

    /// Refuses a batch and its device. If the message is a chunk of a snapshot, its device is not refused, because
    /// another snapshot may be correct.
    private func refuse(
        _ maker: inout ReplicaMember, _ fault: ReplicaRefusal, in origin: ReplicaOrigin
    ) throws(StoreError) -> ReplicaHandedIn {
        origin.isSnapshot ? .refused(fault) : try refuse(&maker, fault)
    }

    /// Stops accepting batches of this device until a person resolves the fault.
    private func refuse(
        _ member: inout ReplicaMember, _ fault: ReplicaRefusal
    ) throws(StoreError) -> ReplicaHandedIn {
        member.fault = fault
        try ReplicaMemberRows.write(member, connection)
        replica.news.append(.refused(member.device, fault))
        return .refused(fault)
    }

    // MARK: Chunks of a snapshot

    private func openChunk(
        _ bytes: [UInt8], of id: ReplicaID, _ group: inout ReplicaGroupRow
    ) throws(StoreError) -> OpenedMessage {
        guard let awaited = group.awaitedSnapshot, awaited.id == id else {
            guard let made = try ReplicaSnapshotRows.read(id, connection) else {
                return .settled(.refused(.notAwaited))
            }
            return .settled(try judgeOwnChunk(bytes, of: made, group))
        }
        let header: SnapshotChunkHeader
        switch Self.header(of: bytes, SnapshotChunkHeader.self) {
        case .success(let read): header = read
        case .failure(let rejection): return .settled(rejection.outcome)
        }
        guard header.group == group.id.bytes else { return .settled(.refused(.otherGroup)) }
        guard header.snapshotID == id.bytes, header.maker == awaited.maker else {
            return .settled(.refused(.otherChannel))
        }
        guard var maker = try ReplicaMemberRows.read(header.maker, connection), maker.isKnown else {
            return .settled(.waits(.deviceUnknown))
        }
        // Refuse snapshots of a removed device, because this store would accept the keys in them.
        guard !maker.isRemoved else { return .settled(.refused(.deviceRemoved)) }
        let next = awaited.mergedChunks + 1
        guard let opened = try plaintext(of: bytes, header, by: maker.signingKey) else {
            return .settled(.refused(.forged))
        }
        let sequence = UInt64(header.index) + 1
        if sequence < next { return .settled(.merged(nextSequence: next)) }
        guard sequence == next else { return .settled(.waits(.earlierMessage(sequence: next))) }
        guard header.previousHash == awaited.lastHash else { return .settled(.refused(.forked)) }
        let origin = ReplicaOrigin(
            channel: .snapshot(id), sequence: next, hash: SnapshotEnvelope.hash(of: bytes), device: header.maker,
            epoch: header.epoch, group: group.id, mergingDevice: group.device)
        return try read(opened, origin, &maker, &group) { Self.endsWithPositions($0, isLast: header.isLast) }
    }

    /// Returns whether the positions are where they belong: they are the last record of the last chunk, because they
    /// cover everything before them.
    private static func endsWithPositions(_ records: [ReplicaRecord], isLast: Bool) -> Bool {
        let places = records.map { if case .positions = $0 { true } else { false } }
        return (places.last ?? false) == isLast && !places.dropLast().contains(true)
    }

    // MARK: Reading

    /// Returns the reason why valid records cannot be merged yet; `nil` if they can. Their stamps must not be so far
    /// ahead that a later change could not have a greater one.
    func wait(for records: [ReplicaRecord]) -> ReplicaWait? {
        records.allSatisfy { HybridClock.isNear($0.newestTime, now: now) } ? nil : .timeAhead
    }

    /// The outcome of a message that is not read further.
    struct Rejection: Error {
        let outcome: ReplicaHandedIn
    }

    static func header<Header: EnvelopeHeader>(
        of bytes: [UInt8], _ type: Header.Type
    ) -> Result<Header, Rejection> {
        do throws(CryptoError) {
            return .success(try Header(parsing: bytes))
        } catch {
            switch error.code {
            case .batchVersionUnknown, .snapshotVersionUnknown:
                return .failure(Rejection(outcome: .waits(.laterVersion)))
            default:
                return .failure(Rejection(outcome: .refused(.malformed)))
            }
        }
    }

    /// Returns the records of a plaintext. If any record cannot have been written by a store, the whole plaintext is
    /// malformed, and no row is changed.
    static func records(in plaintext: [UInt8]) -> Result<[ReplicaRecord], ReplicaRecordError> {
        plaintext.withUnsafeBytes { bytes in
            Result { () throws(ReplicaRecordError) in
                let records = try ReplicaRecord.all(in: bytes)
                guard records.allSatisfy(\.isPossible) else { throw .malformed }
                return records
            }
        }
    }
}

extension WorkStep<ReplicaResult> {
    static func handedIn(_ outcome: ReplicaHandedIn) -> WorkStep { .done(.handedIn(outcome)) }
}
