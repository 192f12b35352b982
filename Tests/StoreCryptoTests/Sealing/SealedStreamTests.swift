import Interchange
import StoreCrypto
import Testing

@Suite struct SealedStreamTests {
    private static let chunk = SealedFileLimits.chunkBytes

    @Test(arguments: TestSeal.allCases)
    func `sealed content opens again, for lengths around the ends of chunks and in pieces of any size`(seal: TestSeal)
        throws
    {
        for count in [0, 1, Self.chunk - 1, Self.chunk, Self.chunk + 1, 2 * Self.chunk, 200_000] {
            let sealed = try seal.seal(content(count), pieceBytes: 30_000)
            #expect(
                UInt64(sealed.count)
                    == SealedFileLimits.sealedBytes(contentBytes: UInt64(count), headerBytes: seal.headerBytes))
            for pieceBytes in [1_000, Self.chunk + 17, 1 << 20] {
                #expect(try open(sealed, try seal.secret(), pieceBytes: pieceBytes) == content(count))
            }
        }
    }

    @Test(arguments: TestSeal.allCases)
    func `the header has the documented fields, and no content is readable`(seal: TestSeal) throws {
        let plain = Array(repeating: Array("a secret sentence".utf8), count: 20).flatMap { $0 }
        let sealed = try seal.seal(plain)
        let header = try SealedFileHeader(parsing: sealed)
        #expect(header.bytes == Array(sealed.prefix(seal.headerBytes)))
        #expect(SealedFileHeader.isSealed(sealed))
        switch header.seal {
        case .passphrase(let memoryBytes, let passes, _):
            #expect(seal == .forPassphrase)
            #expect(memoryBytes == 8 << 20)
            #expect(passes == 1)
        case .recipients(let recipients):
            #expect(seal == .forRecipient)
            #expect(recipients.map(\.publicKey) == [RecipientPair.publicKey])
        }
        let text = Array("a secret".utf8)
        #expect(!(0..<(sealed.count - text.count)).contains { sealed[$0..<($0 + text.count)].elementsEqual(text) })
    }

    @Test func `the same content is never sealed to the same bytes`() throws {
        #expect(try TestSeal.forRecipient.seal([1, 2, 3]) != TestSeal.forRecipient.seal([1, 2, 3]))
    }

    @Test func `a wrong passphrase and another recipient's key are reported as a wrong secret`() throws {
        let forPassphrase = try TestSeal.forPassphrase.seal([1, 2, 3])
        #expect(openingError(forPassphrase, try passphrase("wrong"))?.code == .sealedFileNotForSecret)
        #expect(openingError(forPassphrase, try RecipientPair.secret())?.code == .sealedFileNotForSecret)
        let forRecipient = try TestSeal.forRecipient.seal([1, 2, 3])
        let other = try SlotSecret(kind: .keyFile, bytes: secretBytes([UInt8](repeating: 9, count: 32)))
        #expect(openingError(forRecipient, other)?.code == .sealedFileNotForSecret)
        #expect(openingError(forRecipient, try keyFile(1))?.code == .sealedFileNotForSecret)
        #expect(openingError(forRecipient, try passphrase("correct horse"))?.code == .sealedFileNotForSecret)
    }

    @Test func `an invalid public key of a recipient is refused`() {
        #expect(
            code { () throws(CryptoError) in _ = try SealedStreamWriter(recipientPublicKey: [1, 2, 3]) }
                == .recipientKeyInvalid)
        let zeros = [UInt8](repeating: 0, count: 32)
        #expect(
            code { () throws(CryptoError) in _ = try SealedStreamWriter(recipientPublicKey: zeros) }
                == .recipientKeyInvalid)
    }
}
