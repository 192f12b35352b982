import ReplicaModel
import StoreCrypto

/// The keys of a device and of an epoch of a replica group. It is a class because the keys themselves cannot be copied.
final class Sealer<Header: EnvelopeHeader> {
    let device: ReplicaDeviceKeys
    let epoch: EpochKey

    init() throws {
        device = try ReplicaDeviceKeys.generate()
        epoch = try EpochKey.generate()
    }

    init(device: consuming ReplicaDeviceKeys, epoch: consuming EpochKey) {
        self.device = device
        self.epoch = epoch
    }

    var signingKey: [UInt8] { device.signingKey }

    func seal(_ header: Header, _ plaintext: [UInt8]) throws(CryptoError) -> [UInt8] {
        try Envelope<Header>.seal(header, plaintext, epochKey: epoch, deviceKeys: device)
    }

    func open(_ envelope: [UInt8], signingKey: [UInt8]? = nil) throws(CryptoError) -> [UInt8] {
        try Envelope<Header>.open(envelope, signingKey: signingKey ?? device.signingKey, epochKey: epoch)
    }

    /// Returns the error of opening the envelope, or `nil` if it opens.
    func refusal(_ envelope: [UInt8], signingKey: [UInt8]? = nil) -> CryptoError.Code? {
        code { () throws(CryptoError) in _ = try open(envelope, signingKey: signingKey) }
    }

    /// Returns the envelope with a new, valid signature of this device.
    func signedAgain(_ envelope: [UInt8], as domain: SignatureDomain) -> [UInt8] {
        let unsigned = Array(envelope.dropLast(SignatureDomain.signatureBytes))
        return unsigned + device.sign(unsigned, as: domain)
    }
}

enum Specimen {
    static let group = [UInt8](1...16)
    static let hash = [UInt8](101...132)
    static let snapshotID = [UInt8](31...46)
    static let epoch = EpochID(number: 0x0102_0304, maker: 0x1122_3344_5566_7788)

    static func batch(
        group: [UInt8] = group, device: UInt64 = 0x0102_0304_0506_0708, sequence: UInt64 = 0x1112_1314_1516_1718,
        epoch: EpochID = epoch, previousHash: [UInt8] = hash
    ) -> BatchHeader {
        BatchHeader(group: group, device: device, sequence: sequence, epoch: epoch, previousHash: previousHash)
    }

    static func chunk(
        group: [UInt8] = group, maker: UInt64 = 0x0102_0304_0506_0708, snapshotID: [UInt8] = snapshotID,
        index: UInt32 = 0x1112_1314, isLast: Bool = false, epoch: EpochID = epoch, previousHash: [UInt8] = hash
    ) -> SnapshotChunkHeader {
        SnapshotChunkHeader(
            group: group, maker: maker, snapshotID: snapshotID, index: index, isLast: isLast, epoch: epoch,
            previousHash: previousHash)
    }

    /// Headers that each differ from `batch()` in one field.
    static var otherBatches: [BatchHeader] {
        [
            batch(group: [UInt8](2...17)), batch(device: 1), batch(sequence: 1),
            batch(epoch: EpochID(number: 1, maker: epoch.maker)),
            batch(epoch: EpochID(number: epoch.number, maker: 1)), batch(previousHash: [UInt8](102...133)),
        ]
    }

    static var otherChunks: [SnapshotChunkHeader] {
        [
            chunk(group: [UInt8](2...17)), chunk(maker: 1), chunk(snapshotID: [UInt8](32...47)), chunk(index: 0),
            chunk(isLast: true), chunk(epoch: EpochID(number: 1, maker: epoch.maker)),
            chunk(epoch: EpochID(number: epoch.number, maker: 1)), chunk(previousHash: [UInt8](102...133)),
        ]
    }
}
