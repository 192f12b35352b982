package import ReplicaModel
package import StoreBasics

/// The unencrypted header of a batch: 81 bytes.
package struct BatchHeader: EnvelopeHeader {
    package static let format = EnvelopeFormat(
        noun: "batch", magic: Array("GSRB".utf8), placeBytes: 16, domain: .batch, sealing: .batchSealing,
        nonces: .batchNonces,
        codes: EnvelopeFormat.Codes(
            malformed: .batchMalformed, versionUnknown: .batchVersionUnknown, forged: .batchForged,
            notOpened: .batchNotOpened))

    package let group: [UInt8]
    /// The number of the device that made the batch.
    package let device: UInt64
    /// The number of the batch, one more than the number of the device's previous batch. The first is 1.
    package let sequence: UInt64
    package let epoch: EpochID
    package let previousHash: [UInt8]

    /// - Parameters:
    ///   - group: 16 bytes.
    ///   - sequence: at least 1.
    ///   - previousHash: `BatchEnvelope.hash` of the previous batch, 32 bytes; zeros for the first.
    package init(group: [UInt8], device: UInt64, sequence: UInt64, epoch: EpochID, previousHash: [UInt8]) {
        precondition(
            group.count == EnvelopeFormat.groupBytes && previousHash.count == EnvelopeFormat.hashBytes,
            "a group id must have 16 bytes, and a hash 32 bytes")
        precondition(sequence > 0, "sequence numbers must begin at 1")
        self.group = group
        self.device = device
        self.sequence = sequence
        self.epoch = epoch
        self.previousHash = previousHash
    }

    package var place: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: device)
        bytes.append(bigEndian: sequence)
        return bytes
    }

    package init?(group: [UInt8], place: inout ByteReader, epoch: EpochID, previousHash: [UInt8]) {
        guard let device: UInt64 = place.bigEndian(), let sequence: UInt64 = place.bigEndian(), sequence > 0 else {
            return nil
        }
        self.init(group: group, device: device, sequence: sequence, epoch: epoch, previousHash: previousHash)
    }
}
