import StoreBasics
import TestBasics
import Testing

@testable import StoreCrypto

/// Bytes that a stream, another device or an attacker may deliver instead of an envelope.
@Suite struct EnvelopeForgeryTests {
    private let batches: Sealer<BatchHeader>
    private let chunks: Sealer<SnapshotChunkHeader>
    private let batch: [UInt8]
    private let chunk: [UInt8]

    init() throws {
        batches = try Sealer()
        chunks = try Sealer()
        batch = try batches.seal(Specimen.batch(), Array("some bytes".utf8))
        chunk = try chunks.seal(Specimen.chunk(), Array("some bytes".utf8))
    }

    @Test func `an envelope with a flipped bit is refused with the reason for that bit`() {
        for bit in 0..<(batch.count * 8) {
            let expected: CryptoError.Code =
                switch bit / 8 {
                case 0..<4: .batchMalformed
                // Clearing one of the two bits that are set gives an earlier version number.
                case 4: bit < 4 * 8 + 2 ? .batchMalformed : .batchVersionUnknown
                default: .batchForged
                }
            #expect(batches.refusal(flipped(batch, bit)) == expected, "bit \(bit)")
        }
        let lastFlag = (5 + 16 + 8 + 16 + 4) * 8
        for bit in 0..<(chunk.count * 8) {
            let expected: CryptoError.Code =
                switch bit {
                case 0..<34, (lastFlag + 1)..<(lastFlag + 8): .snapshotMalformed
                case 34..<40: .snapshotVersionUnknown
                default: .snapshotForged
                }
            #expect(chunks.refusal(flipped(chunk, bit)) == expected, "bit \(bit)")
        }
    }

    @Test func `an envelope that is shorter or longer is refused`() {
        for count in 0..<batch.count {
            let expected: CryptoError.Code = count < 185 ? .batchMalformed : .batchForged
            #expect(batches.refusal(Array(batch.prefix(count))) == expected, "\(count) bytes")
        }
        for count in 0..<chunk.count {
            let expected: CryptoError.Code = count < 198 ? .snapshotMalformed : .snapshotForged
            #expect(chunks.refusal(Array(chunk.prefix(count))) == expected, "\(count) bytes")
        }
        #expect(batches.refusal(batch + [0]) == .batchForged && chunks.refusal(chunk + [0]) == .snapshotForged)
        #expect(batches.refusal(Array(batch.dropFirst())) == .batchMalformed)
    }

    @Test func `the same content under another header is forged, and does not open even if its device signs it`() {
        expectHeaderIsBound(batches, batch, Specimen.otherBatches, .batchForged, .batchNotOpened)
        expectHeaderIsBound(chunks, chunk, Specimen.otherChunks, .snapshotForged, .snapshotNotOpened)
    }

    @Test func `a ciphertext with a flipped bit does not open even if its device signs it`() {
        for byte in 81..<(batch.count - 64) {
            #expect(batches.refusal(batches.signedAgain(flipped(batch, byte * 8), as: .batch)) == .batchNotOpened)
        }
        let short = Array(batch.dropLast(65)) + [UInt8](repeating: 0, count: 64)
        #expect(batches.refusal(batches.signedAgain(short, as: .batch)) == .batchNotOpened)
    }

    @Test func `an envelope signed by another device is forged`() throws {
        let other = try Sealer<BatchHeader>()
        #expect(batches.refusal(batch, signingKey: other.signingKey) == .batchForged)
        #expect(batches.refusal(other.signedAgain(batch, as: .batch)) == .batchForged)
        for signingKey in [[], [UInt8](repeating: 0, count: 32), other.signingKey + [0]] {
            #expect(batches.refusal(batch, signingKey: signingKey) == .batchForged)
        }
    }

    @Test func `another epoch's key opens nothing, and the signature can be checked without a key`() throws {
        let other = try EpochKey.generate()
        let refusal = code { () throws(CryptoError) in
            _ = try BatchEnvelope.open(batch, signingKey: batches.signingKey, epochKey: other)
        }
        #expect(refusal == .batchNotOpened)
        #expect(try BatchEnvelope.verify(batch, signingKey: batches.signingKey) == Specimen.batch())
    }

    @Test func `a batch is not accepted as a snapshot's chunk, nor a chunk as a batch, whoever signs it`() throws {
        #expect(batches.refusal(chunk) == .batchMalformed && chunks.refusal(batch) == .snapshotMalformed)
        let sameKeys = Sealer<SnapshotChunkHeader>(
            device: try ReplicaDeviceKeys(bytes: secretBytes(contents(of: batches.device.bytes))),
            epoch: try EpochKey(bytes: secretBytes(contents(of: batches.epoch.bytes))))
        let sealed = try batches.seal(Specimen.batch(), [UInt8](repeating: 0, count: 40))
        // Sets the byte in which a chunk says whether it is the last chunk.
        let readable = setting(Array("GSRS".utf8) + sealed.dropFirst(4), 49, to: 1)
        #expect(sameKeys.refusal(readable) == .snapshotForged)
        #expect(sameKeys.refusal(sameKeys.signedAgain(readable, as: .batch)) == .snapshotForged)
        #expect(sameKeys.refusal(sameKeys.signedAgain(readable, as: .snapshotChunk)) == .snapshotNotOpened)
    }

    @Test func `an envelope of a newer version is reported as such, however short, and an earlier one is malformed`() {
        #expect(batches.refusal(Array("GSRB".utf8) + [4]) == .batchVersionUnknown)
        #expect(chunks.refusal(Array("GSRS".utf8) + [255]) == .snapshotVersionUnknown)
        for version in UInt8(0)...2 {
            #expect(batches.refusal(setting(batch, 4, to: version)) == .batchMalformed)
            #expect(chunks.refusal(setting(chunk, 4, to: version)) == .snapshotMalformed)
        }
    }

    /// Only a member of the replica group can make such an envelope, because making it requires the keys of the group
    /// and a member's signature.
    @Test func `an envelope whose nonce does not belong to its plaintext does not open`() throws {
        try expectNonceIsBound(batches, Specimen.batch(), .batch, .batchNotOpened)
        try expectNonceIsBound(chunks, Specimen.chunk(), .snapshotChunk, .snapshotNotOpened)
    }

    private func expectNonceIsBound<Header>(
        _ sealer: Sealer<Header>, _ header: Header, _ domain: SignatureDomain, _ notOpened: CryptoError.Code
    ) throws {
        let plaintext = Array("some bytes".utf8)
        let key = try sealer.epoch.subkey(Header.format.sealing)
        let right = try Envelope<Header>.nonce(of: header, plaintext, sealer.epoch)
        for (nonce, expected) in [(right, nil), ([UInt8](repeating: 7, count: 24), notOpened)] {
            let sealed = plaintext.withUnsafeBytes {
                AuthenticatedCipher.seal($0, binding: header.encoded, nonce: nonce, under: key)
            }
            let unsigned = header.encoded + nonce + sealed + [UInt8](repeating: 0, count: 64)
            #expect(sealer.refusal(sealer.signedAgain(unsigned, as: domain)) == expected)
        }
    }

    @Test func `a sequence of zero is malformed, even with a valid signature`() {
        var zero = batch
        for byte in 29..<37 {
            zero[byte] = 0
        }
        #expect(batches.refusal(batches.signedAgain(zero, as: .batch)) == .batchMalformed)
    }

    @Test func `random bytes and mutations are refused`() {
        var random = TestSeeds.generator(20_261_125)
        for round in 0..<TestTier.count(600, long: 6_000) {
            var bytes = random.bytes(Int(random.next() % 400))
            if round % 3 != 0 {
                let start = Array((round % 3 == 1 ? batch : chunk).prefix(Int(random.next() % 100)))
                bytes.replaceSubrange(0..<min(start.count, bytes.count), with: start)
            }
            #expect(batches.refusal(bytes) != nil && chunks.refusal(bytes) != nil, "round \(round)")
        }
    }

    private func expectHeaderIsBound<Header>(
        _ sealer: Sealer<Header>, _ envelope: [UInt8], _ headers: [Header], _ forged: CryptoError.Code,
        _ notOpened: CryptoError.Code
    ) {
        for header in headers {
            let moved = header.encoded + envelope.dropFirst(header.encoded.count)
            #expect(sealer.refusal(moved) == forged, "\(header)")
            let domain: SignatureDomain = Header.self == BatchHeader.self ? .batch : .snapshotChunk
            #expect(sealer.refusal(sealer.signedAgain(moved, as: domain)) == notOpened, "\(header)")
        }
    }

    private func flipped(_ bytes: [UInt8], _ bit: Int) -> [UInt8] {
        setting(bytes, bit / 8, to: bytes[bit / 8] ^ 1 << (bit % 8))
    }

    private func setting(_ bytes: [UInt8], _ index: Int, to byte: UInt8) -> [UInt8] {
        var bytes = bytes
        bytes[index] = byte
        return bytes
    }
}
