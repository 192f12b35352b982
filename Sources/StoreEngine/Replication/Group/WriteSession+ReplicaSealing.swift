import ReplicaModel
import SQLCipher
import StoreBasics
import StoreCrypto

/// Puts messages into the channels that this store writes: sealed once, and kept until the group's log has them.
extension WriteSession {
    /// Bytes of records in one message at most: NATS takes a megabyte, unless it is told otherwise.
    private static var sealedPayloadBytesMax: Int { 704 << 10 }

    /// Records as a batch of this device, or as several where they are too long for one.
    ///
    /// - Parameter epoch: whose key is known to all who are to read it; `nil`: the newest.
    func seal(
        _ payload: [UInt8], _ group: inout ReplicaGroupRow, under epoch: EpochID? = nil
    ) throws(StoreError) {
        guard !payload.isEmpty else { return }
        let keys = try ReplicaGroupRow.keys(connection)
        let newest = try sealingEpoch()
        let epoch = epoch ?? newest
        let key = try sealingKey(epoch)
        for plaintext in Self.messages(of: payload) {
            let header = BatchHeader(
                group: group.id.bytes, device: group.device, sequence: group.lastSequence + 1, epoch: epoch,
                previousHash: group.lastHash)
            let message = try mappedKeys(BatchEnvelope.seal(header, plaintext, epochKey: key, deviceKeys: keys))
            group.lastSequence += 1
            group.lastHash = BatchEnvelope.hash(of: message)
            try ReplicaOutgoingRows.insert(.device(group.device), group.lastSequence, message, connection)
        }
    }

    /// Records about the group itself, as a batch of their own. Who is given a key by it has that key only behind it:
    /// it
    /// is sealed under an older one. What it holds of a key is sealed for who is given it.
    func seal(_ records: [ReplicaRecord], _ group: inout ReplicaGroupRow) throws(StoreError) {
        var payload: [UInt8] = []
        var epochs = try ReplicaEpochRows.known(connection)
        for record in records {
            record.append(to: &payload)
            if case .epoch(let epoch) = record {
                epochs.removeAll { $0 >= epoch.id }
            }
        }
        try seal(payload, &group, under: epochs.first)
    }

    /// Records as chunks of a snapshot.
    func seal(
        _ payload: [UInt8], _ snapshot: inout ReplicaSnapshot, isLast: Bool, _ group: ReplicaGroupRow
    ) throws(StoreError) {
        let keys = try ReplicaGroupRow.keys(connection)
        let epoch = try sealingEpoch()
        let key = try sealingKey(epoch)
        let plaintexts = Self.messages(of: payload)
        for (index, plaintext) in plaintexts.enumerated() {
            let header = SnapshotChunkHeader(
                group: group.id.bytes, maker: group.device, snapshotID: snapshot.id.bytes,
                index: UInt32(clamping: snapshot.lastChunk), isLast: isLast && index == plaintexts.count - 1,
                epoch: epoch, previousHash: snapshot.lastHash)
            let message = try mappedKeys(SnapshotEnvelope.seal(header, plaintext, epochKey: key, deviceKeys: keys))
            snapshot.lastChunk += 1
            snapshot.lastHash = SnapshotEnvelope.hash(of: message)
            try ReplicaOutgoingRows.insert(.snapshot(snapshot.id), snapshot.lastChunk, message, connection)
        }
    }

    /// What new messages are sealed under: the greatest that is known here.
    private func sealingEpoch() throws(StoreError) -> EpochID {
        guard let epoch = try ReplicaEpochRows.known(connection).first else { throw ReplicaTables.damaged }
        return epoch
    }

    private func sealingKey(_ epoch: EpochID) throws(StoreError) -> EpochKey {
        guard let key = try ReplicaEpochRows.key(of: epoch, connection) else { throw ReplicaTables.damaged }
        return key
    }

    /// The records, or parts of them.
    private static func messages(of payload: [UInt8]) -> [[UInt8]] {
        guard payload.count > sealedPayloadBytesMax else { return [payload] }
        var messages: [[UInt8]] = []
        var rest = payload[...]
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
