import ReplicaModel
import StoreBasics
import StoreCrypto

/// Examines messages that were found in this store's own channels. Other programs can write to the servers, so a
/// message without this store's signature means nothing. A message that has the signature, but was not made by this
/// store, comes from a copy of the store.
extension ReplicaChannels {
    /// Returns `.merged` for a batch that this store made, and otherwise the reason why the batch is refused.
    func judgeOwnBatch(
        _ bytes: [UInt8], _ header: BatchHeader, _ group: ReplicaGroupRow
    ) throws(StoreError) -> ReplicaHandedIn {
        try judgeOwn(
            bytes, header, sequence: header.sequence, in: .device(group.device),
            last: (group.lastSequence, group.lastHash), group)
    }

    func judgeOwnChunk(
        _ bytes: [UInt8], of made: ReplicaSnapshot, _ group: ReplicaGroupRow
    ) throws(StoreError) -> ReplicaHandedIn {
        let header: SnapshotChunkHeader
        switch Self.header(of: bytes, SnapshotChunkHeader.self) {
        case .success(let read): header = read
        case .failure(let rejection): return rejection.outcome
        }
        guard header.group == group.id.bytes else { return .refused(.otherGroup) }
        guard header.snapshotID == made.id.bytes, header.maker == group.device else { return .refused(.otherChannel) }
        return try judgeOwn(
            bytes, header, sequence: UInt64(header.index) + 1, in: .snapshot(made.id),
            last: (made.lastChunk, made.lastHash), group)
    }

    private func judgeOwn<Header: EnvelopeHeader>(
        _ bytes: [UInt8], _ header: Header, sequence: UInt64, in channel: ReplicaChannel,
        last: (sequence: UInt64, hash: [UInt8]), _ group: ReplicaGroupRow
    ) throws(StoreError) -> ReplicaHandedIn {
        let own = try replica.keys.keys(of: group.device, connection)
        do throws(CryptoError) {
            try Envelope<Header>.verify(bytes, signingKey: own.keys.signingKey)
        } catch {
            switch error.code {
            case .batchForged, .snapshotForged: return .refused(.forged)
            default: throw StoreError(error)
            }
        }
        guard sequence <= last.sequence else { return .refused(.forked) }
        let waiting = try ReplicaOutgoingRows.messages(channel, after: sequence - 1, bytesMax: 0, connection).first
        if let waiting, waiting.sequence == sequence, waiting.bytes != bytes { return .refused(.forked) }
        if sequence == last.sequence, Envelope<Header>.hash(of: bytes) != last.hash { return .refused(.forked) }
        return .merged(nextSequence: last.sequence + 1)
    }
}
