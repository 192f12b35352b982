import StoreBasics
import TestBasics
import Testing

@testable import StoreCrypto

@Suite struct EnvelopeTests {
    private let batches: Sealer<BatchHeader>
    private let chunks: Sealer<SnapshotChunkHeader>

    init() throws {
        batches = try Sealer()
        chunks = try Sealer()
    }

    @Test(arguments: [0, 1, 15, 16, 17, 63, 64, 65, 255 << 10]) func `an envelope opens with its original content`(
        count: Int
    ) throws {
        try expectRoundTrip(batches, Specimen.batch(), count)
        try expectRoundTrip(chunks, Specimen.chunk(), count)
    }

    @Test func `the largest plaintext fills the largest message, and one byte more is refused`() throws {
        #expect(BatchEnvelope.byteCountMax == 983_040 && SnapshotEnvelope.byteCountMax == 983_040)
        #expect(BatchEnvelope.plaintextBytesMax == 983_040 - 185)
        #expect(SnapshotEnvelope.plaintextBytesMax == 983_040 - 198)
        try expectRoundTrip(batches, Specimen.batch(), BatchEnvelope.plaintextBytesMax)
        try expectRoundTrip(chunks, Specimen.chunk(), SnapshotEnvelope.plaintextBytesMax)
        let tooMuch = [UInt8](repeating: 1, count: BatchEnvelope.plaintextBytesMax + 1)
        let batch = code { () throws(CryptoError) in _ = try batches.seal(Specimen.batch(), tooMuch) }
        let chunk = code { () throws(CryptoError) in _ = try chunks.seal(Specimen.chunk(), tooMuch) }
        #expect(batch == .envelopeTooLarge && chunk == .envelopeTooLarge)
    }

    @Test func `a message longer than the maximum is malformed, even with a valid signature`() throws {
        let most = try batches.seal(Specimen.batch(), [UInt8](repeating: 1, count: BatchEnvelope.plaintextBytesMax))
        #expect(batches.refusal(batches.signedAgain(most + [0], as: .batch)) == .batchMalformed)
    }

    @Test func `sealing is deterministic, and other content or another position gives other bytes`() throws {
        let sealed = try batches.seal(Specimen.batch(), [1, 2, 3])
        #expect(try batches.seal(Specimen.batch(), [1, 2, 3]) == sealed)
        #expect(try batches.seal(Specimen.batch(sequence: 1), [1, 2, 3]).suffix(83) != sealed.suffix(83))
        #expect(BatchEnvelope.hash(of: sealed).count == 32)
        #expect(BatchEnvelope.hash(of: sealed) != BatchEnvelope.hash(of: sealed.dropLast() + [0, 0]))
    }

    @Test func `an envelope begins with its header, which can be read from it`() throws {
        for header in Specimen.otherBatches + [Specimen.batch()] {
            let sealed = try batches.seal(header, [1])
            #expect(sealed.starts(with: header.encoded) && header.encoded.count == 81)
            #expect(try BatchHeader(parsing: sealed) == header)
            #expect(try BatchEnvelope.verify(sealed, signingKey: batches.signingKey) == header)
        }
        for header in Specimen.otherChunks + [Specimen.chunk()] {
            let sealed = try chunks.seal(header, [1])
            #expect(sealed.starts(with: header.encoded) && header.encoded.count == 94)
            #expect(try SnapshotChunkHeader(parsing: sealed) == header)
            #expect(try SnapshotEnvelope.verify(sealed, signingKey: chunks.signingKey) == header)
        }
    }

    @Test func `nonces of different headers, plaintexts and keys differ`() throws {
        var nonces: Set<[UInt8]> = []
        for device in UInt64(0)..<100 {
            for sequence in (UInt64(1)...100).flatMap({ [$0, $0 << 32] }) {
                let header = Specimen.batch(device: device, sequence: sequence)
                nonces.insert(try BatchEnvelope.nonce(of: header, [1], batches.epoch))
            }
        }
        #expect(nonces.count == 20_000 && nonces.allSatisfy { $0.count == 24 })
        for header in Specimen.otherBatches {
            nonces.insert(try BatchEnvelope.nonce(of: header, [], batches.epoch))
        }
        for header in Specimen.otherChunks + [Specimen.chunk()] {
            nonces.insert(try SnapshotEnvelope.nonce(of: header, [1], batches.epoch))
        }
        let headers = Specimen.otherBatches.count + Specimen.otherChunks.count + 1
        #expect(nonces.count == 20_000 + headers)
        let plaintexts = [[], [0], [2], [1, 0], [0, 1]] as [[UInt8]]
        for plaintext in plaintexts {
            nonces.insert(
                try BatchEnvelope.nonce(of: Specimen.batch(device: 1, sequence: 1), plaintext, batches.epoch))
        }
        nonces.insert(
            try BatchEnvelope.nonce(of: Specimen.batch(device: 1, sequence: 1), [1], EpochKey.generate()))
        #expect(nonces.count == 20_000 + headers + plaintexts.count + 1)
    }

    /// After a return to an earlier state, such as a restore, a store seals different plaintexts with sequences that it
    /// has used before.
    @Test func `two plaintexts in one position share no keystream`() throws {
        try expectNoSharedKeystream(batches, Specimen.batch())
        try expectNoSharedKeystream(chunks, Specimen.chunk())
    }

    private func expectNoSharedKeystream<Header>(_ sealer: Sealer<Header>, _ header: Header) throws {
        var random = SplitMix(seed: 7)
        var keystreams: Set<[UInt8]> = []
        for count in 64..<192 {
            let plaintext = random.bytes(count)
            let sealed = try sealer.seal(header, plaintext)
            let ciphertext = sealed.dropFirst(Header.byteCount + 24).dropLast(16 + 64)
            keystreams.insert(zip(plaintext, ciphertext).prefix(32).map { $0 ^ $1 })
        }
        #expect(keystreams.count == 128)
    }

    private func expectRoundTrip<Header>(_ sealer: Sealer<Header>, _ header: Header, _ count: Int) throws {
        var random = SplitMix(seed: UInt64(count))
        let plaintext = random.bytes(count)
        let sealed = try sealer.seal(header, plaintext)
        #expect(sealed.count == count + Envelope<Header>.byteCountMax - Envelope<Header>.plaintextBytesMax)
        let opened = try sealer.open(sealed)
        #expect(opened == plaintext, "\(count) bytes")
    }
}
