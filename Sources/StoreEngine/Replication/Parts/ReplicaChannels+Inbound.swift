import ReplicaModel
import SQLCipher
import StoreBasics
import StoreCrypto

/// How far a message has come that was handed in.
struct ReplicaMerging: WorkProgress {
    let origin: ReplicaOrigin
    let records: [ReplicaRecord]
    /// Of the records, from the first on.
    var doneCount = 0
}

/// Where records come from that are merged.
struct ReplicaOrigin: Sendable {
    let channel: ReplicaChannel
    let sequence: UInt64
    let hash: [UInt8]
    /// The device that made the message.
    let device: UInt64
    /// Whose key it is sealed with.
    let epoch: EpochID
    /// Whose messages are merged as which device: between two steps the store may have left for another.
    let group: ReplicaID
    let mergingDevice: UInt64

    var isSnapshot: Bool { if case .snapshot = channel { true } else { false } }
}

/// What was found out about a message.
private enum OpenedMessage {
    case records([ReplicaRecord], ReplicaOrigin)
    /// Nothing is to be merged.
    case settled(ReplicaHandedIn)

    static var early: OpenedMessage { .settled(.waits(.membership)) }
}

/// Takes messages of the group's log in. What one holds is merged behind all that was changed here, and the place in
/// its channel moves with the last of it: it may be handed in again at any time.
extension ReplicaChannels {
    /// A step.
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
            return .handedIn(try replica.group.takeRequest(message.bytes, by: id, &group))
        case .joinWelcome(let id):
            return .handedIn(try replica.group.takeWelcome(message.bytes, by: id, &group))
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
        case .failure(let settled): return .settled(settled.outcome)
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
        try takeRequestAhead(opened, header, member, group)
        if let settled = try order(header, hash, isOldestKept: message.isOldestKept, &member, &group) {
            return .settled(settled)
        }
        let origin = ReplicaOrigin(
            channel: message.channel, sequence: header.sequence, hash: hash, device: device, epoch: header.epoch,
            group: group.id, mergingDevice: group.device)
        return try read(opened, origin, &member, &group)
    }

    /// What is in a message that comes next in its channel.
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

    /// - Returns: `nil` for one that its device has not signed.
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

    /// - Returns: what becomes of a batch that is not the next one; `nil` for the next.
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

    /// Acts on a request for a snapshot in a batch that cannot be merged yet. This store and the batch's device may
    /// each lack a message of the other; without this, neither would ever read the other's request.
    private func takeRequestAhead(
        _ opened: OpenedEnvelope, _ header: BatchHeader, _ member: ReplicaMember, _ group: ReplicaGroupRow
    ) throws(StoreError) {
        guard header.sequence > member.mergedSequence + 1, case .plaintext(let plaintext) = opened,
            case .success(let records) = Self.records(in: plaintext)
        else { return }
        for case .snapshotRequest(let request) in records where request.maker == group.device {
            try replica.snapshots.takeSnapshotRequest(
                request, by: member.device, in: header.sequence, under: header.epoch, group)
        }
    }

    /// A batch does not follow what is merged of its device. Where another device has said how far that goes, that one
    /// was wrong, and the device itself is asked.
    private func refuseFork(
        _ member: inout ReplicaMember, _ group: inout ReplicaGroupRow
    ) throws(StoreError) -> ReplicaHandedIn {
        guard member.isPlaceUnconfirmed, !member.isRemoved else { return try refuse(&member, .forked) }
        try replica.snapshots.askForSnapshot(&group, of: member.device)
        return .waits(.snapshot)
    }

    /// A snapshot is refused by itself: another one may be right.
    private func refuse(
        _ maker: inout ReplicaMember, _ fault: ReplicaRefusal, in origin: ReplicaOrigin
    ) throws(StoreError) -> ReplicaHandedIn {
        origin.isSnapshot ? .refused(fault) : try refuse(&maker, fault)
    }

    /// No more of this device is taken: somebody has to look.
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
        case .failure(let settled): return .settled(settled.outcome)
        }
        guard header.group == group.id.bytes else { return .settled(.refused(.otherGroup)) }
        guard header.snapshotID == id.bytes, header.maker == awaited.maker else {
            return .settled(.refused(.otherChannel))
        }
        guard var maker = try ReplicaMemberRows.read(header.maker, connection), maker.isKnown else {
            return .settled(.waits(.deviceUnknown))
        }
        // It may give keys that it should not know of.
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

    /// What a snapshot says of places counts for what is in front of it: it is its last record, and nowhere else.
    private static func endsWithPositions(_ records: [ReplicaRecord], isLast: Bool) -> Bool {
        let places = records.map { if case .positions = $0 { true } else { false } }
        return (places.last ?? false) == isLast && !places.dropLast().contains(true)
    }

    // MARK: Reading

    /// Why records that are right are not merged yet. What is merged must be such that a change behind it can be told.
    func wait(for records: [ReplicaRecord]) -> ReplicaWait? {
        records.allSatisfy { HybridClock.isNear($0.newestTime, now: now) } ? nil : .timeAhead
    }

    /// A message that goes no further.
    struct Settled: Error {
        let outcome: ReplicaHandedIn
    }

    static func header<Header: EnvelopeHeader>(
        of bytes: [UInt8], _ type: Header.Type
    ) -> Result<Header, Settled> {
        do throws(CryptoError) {
            return .success(try Header(parsing: bytes))
        } catch {
            switch error.code {
            case .batchVersionUnknown, .snapshotVersionUnknown:
                return .failure(Settled(outcome: .waits(.laterVersion)))
            default:
                return .failure(Settled(outcome: .refused(.malformed)))
            }
        }
    }

    /// - Returns: those that some store can have written; anything else is malformed, before a row is touched.
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
