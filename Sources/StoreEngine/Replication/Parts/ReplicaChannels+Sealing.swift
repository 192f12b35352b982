import ReplicaModel
import SQLCipher
import StoreBasics
import StoreCrypto

/// Seals messages for the channels that this store writes. Each message is sealed once, and kept until the stream has
/// it.
extension ReplicaChannels {
    /// The most bytes of records in one message. NATS accepts one megabyte by default, and JetStream returns a single
    /// message in base 64, which is a third longer.
    private static var sealedPayloadBytesMax: Int { 704 << 10 }

    /// Seals records as a batch of this device, or as several if they are too long for one. While the store waits for a
    /// snapshot, the records begin with the request for the snapshot, because the device that is asked may lack every
    /// batch except the newest.
    ///
    /// - Parameter epoch: An epoch whose key all readers know; `nil` for the newest.
    func seal(
        _ payload: [UInt8], _ group: inout ReplicaGroupRow, under epoch: EpochID? = nil
    ) throws(StoreError) {
        guard !payload.isEmpty else { return }
        let request = group.awaitedSnapshot?.record ?? []
        let payload = timed(try knownBatches() + (payload.starts(with: request) ? payload : request + payload))
        let own = try replica.keys.keys(of: group.device, connection)
        let newest = try sealingEpoch()
        let epoch = epoch ?? newest
        let key = try sealingKey(epoch)
        for plaintext in Self.messages(of: payload) {
            let header = BatchHeader(
                group: group.id.bytes, device: group.device, sequence: group.lastSequence + 1, epoch: epoch,
                previousHash: group.lastHash)
            let message = try mappedKeys(BatchEnvelope.seal(header, plaintext, epochKey: key, deviceKeys: own.keys))
            group.lastSequence += 1
            group.lastHash = BatchEnvelope.hash(of: message)
            try ReplicaOutgoingRows.insert(.device(group.device), group.lastSequence, message, connection)
        }
        if payload.withUnsafeBytes(ReplicaRecord.containsChange) {
            group.lastChangeSequence = group.lastSequence
        }
    }

    /// Seals records about the group as a batch of their own.
    ///
    /// An epoch is published under an older one, because its receivers have its key only after they read the batch. The
    /// key itself is sealed for each of them. The number of an epoch is at most one greater than the number of the
    /// epoch that seals the batch.
    func seal(_ records: [ReplicaRecord], _ group: inout ReplicaGroupRow) throws(StoreError) {
        var payload: [UInt8] = []
        var epochs: [EpochRecord] = []
        for record in records {
            if case .epoch(let epoch) = record {
                epochs.append(epoch)
            } else {
                record.append(to: &payload)
            }
        }
        let known = try ReplicaEpochRows.known(connection)
        var sealing: EpochID?
        for epoch in epochs.sorted(by: { $0.id < $1.id }) {
            let before = known.first { $0 < epoch.id } ?? known.first
            if let begun = sealing, epoch.id.number > begun.number.addingClamped(1) {
                try seal(payload, &group, under: begun)
                payload = []
                sealing = before
            }
            sealing = sealing ?? before
            ReplicaRecord.epoch(epoch).append(to: &payload)
        }
        try seal(payload, &group, under: sealing)
    }

    /// Seals records as chunks of a snapshot, with an epoch whose key the requester has.
    func seal(
        _ payload: [UInt8], _ snapshot: inout ReplicaSnapshot, isLast: Bool, _ group: ReplicaGroupRow
    ) throws(StoreError) {
        let own = try replica.keys.keys(of: group.device, connection)
        let key = try sealingKey(snapshot.epoch)
        let plaintexts = Self.messages(of: timed(payload))
        for (index, plaintext) in plaintexts.enumerated() {
            let header = SnapshotChunkHeader(
                group: group.id.bytes, maker: group.device, snapshotID: snapshot.id.bytes,
                index: UInt32(clamping: snapshot.lastChunk), isLast: isLast && index == plaintexts.count - 1,
                epoch: snapshot.epoch, previousHash: snapshot.lastHash)
            let message = try mappedKeys(SnapshotEnvelope.seal(header, plaintext, epochKey: key, deviceKeys: own.keys))
            snapshot.lastChunk += 1
            snapshot.lastHash = SnapshotEnvelope.hash(of: message)
            try ReplicaOutgoingRows.insert(.snapshot(snapshot.id), snapshot.lastChunk, message, connection)
        }
    }

    /// Returns the record that names the batches of other devices on which this store's next batch is based. Each batch
    /// has the record, even if it names none. Daemons of schema 5 do not know this kind of record, so they wait until
    /// they are upgraded.
    func knownBatches() throws(StoreError) -> [UInt8] {
        var bytes: [UInt8] = []
        let last = try NamedBatchRows.takeUnnamed(connection)
        ReplicaRecord.knownBatches(KnownBatchesRecord(last: last)).append(to: &bytes)
        return bytes
    }

    /// Adds a record of the clock before the records, if all of them fit in one message.
    private func timed(_ payload: [UInt8]) -> [UInt8] {
        var timed: [UInt8] = []
        ReplicaRecord.time(replica.group.replicaTime).append(to: &timed)
        return timed.count + payload.count > Self.sealedPayloadBytesMax ? payload : timed + payload
    }

    /// Returns the epoch that seals new messages: the greatest whose key this store has.
    func sealingEpoch() throws(StoreError) -> EpochID {
        guard let epoch = try ReplicaEpochRows.known(connection).first else { throw ReplicaTables.damaged }
        return epoch
    }

    private func sealingKey(_ epoch: EpochID) throws(StoreError) -> EpochKey {
        guard let key = try ReplicaEpochRows.key(of: epoch, connection) else { throw ReplicaTables.damaged }
        return key
    }

    /// Splits records into messages, each with as many records as fit. A record that is too long for one message
    /// becomes parts.
    static func messages(of payload: [UInt8]) -> [[UInt8]] {
        guard payload.count > sealedPayloadBytesMax else { return [payload] }
        var messages: [[UInt8]] = []
        var (message, rest) = ([UInt8](), payload[...])
        for size in payload.withUnsafeBytes({ ReplicaRecord.sizes(in: $0) }) {
            if !message.isEmpty, message.count + size > sealedPayloadBytesMax {
                messages.append(message)
                message = []
            }
            if size > sealedPayloadBytesMax {
                messages += parts(of: rest.prefix(size))
            } else {
                message += rest.prefix(size)
            }
            rest = rest.dropFirst(size)
        }
        return message.isEmpty ? messages : messages + [message]
    }

    private static func parts(of record: ArraySlice<UInt8>) -> [[UInt8]] {
        var messages: [[UInt8]] = []
        var rest = record
        while !rest.isEmpty {
            let piece = rest.prefix(sealedPayloadBytesMax)
            rest = rest.dropFirst(piece.count)
            var message: [UInt8] = []
            ReplicaRecord.part(PartRecord(isLast: rest.isEmpty, piece: [UInt8](piece))).append(to: &message)
            messages.append(message)
        }
        return messages
    }
}
