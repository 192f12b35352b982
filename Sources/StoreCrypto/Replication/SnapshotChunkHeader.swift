package import ReplicaModel
package import StoreBasics

/// The unencrypted header of a snapshot's chunk: 94 bytes.
package struct SnapshotChunkHeader: EnvelopeHeader {
    package static let snapshotIDBytes = 16

    package static let format = EnvelopeFormat(
        noun: "snapshot chunk", magic: Array("GSRS".utf8), placeBytes: 8 + snapshotIDBytes + 4 + 1,
        domain: .snapshotChunk, sealing: .snapshotSealing, nonces: .snapshotNonces,
        codes: EnvelopeFormat.Codes(
            malformed: .snapshotMalformed, versionUnknown: .snapshotVersionUnknown, forged: .snapshotForged,
            notOpened: .snapshotNotOpened))

    package let group: [UInt8]
    /// The number of the device that made the snapshot.
    package let maker: UInt64
    /// A random id, new for every snapshot.
    package let snapshotID: [UInt8]
    /// The index of the chunk, from 0.
    package let index: UInt32
    package let isLast: Bool
    package let epoch: EpochID
    package let previousHash: [UInt8]

    /// - Parameters:
    ///   - group: 16 bytes.
    ///   - snapshotID: 16 bytes.
    ///   - previousHash: `SnapshotEnvelope.hash` of the previous chunk, 32 bytes; zeros for the first.
    package init(
        group: [UInt8], maker: UInt64, snapshotID: [UInt8], index: UInt32, isLast: Bool, epoch: EpochID,
        previousHash: [UInt8]
    ) {
        precondition(
            group.count == EnvelopeFormat.groupBytes && previousHash.count == EnvelopeFormat.hashBytes,
            "a group id must have 16 bytes, and a hash 32 bytes")
        precondition(snapshotID.count == Self.snapshotIDBytes, "a snapshot's id must have 16 bytes")
        self.group = group
        self.maker = maker
        self.snapshotID = snapshotID
        self.index = index
        self.isLast = isLast
        self.epoch = epoch
        self.previousHash = previousHash
    }

    package var place: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: maker)
        bytes += snapshotID
        bytes.append(bigEndian: index)
        bytes.append(isLast ? 1 : 0)
        return bytes
    }

    package init?(group: [UInt8], place: inout ByteReader, epoch: EpochID, previousHash: [UInt8]) {
        guard let maker: UInt64 = place.bigEndian(), let snapshotID = place.bytes(Self.snapshotIDBytes),
            let index: UInt32 = place.bigEndian(), let isLast = place.flag()
        else { return nil }
        self.init(
            group: group, maker: maker, snapshotID: [UInt8](snapshotID), index: index, isLast: isLast, epoch: epoch,
            previousHash: previousHash)
    }
}
