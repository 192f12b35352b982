import Interchange
import StoreCrypto
import Testing

@Suite struct SealedStreamDamageTests {
    private static let sealedChunk = SealedFileLimits.chunkBytes + 17
    private static let header = TestSeal.forRecipient.headerBytes

    private func code(_ sealed: [UInt8]) throws -> CryptoError.Code? {
        openingError(sealed, try RecipientPair.secret(), pieceBytes: 1 << 20)?.code
    }

    private func chunks(_ sealed: [UInt8]) -> [ArraySlice<UInt8>] {
        stride(from: Self.header, to: sealed.count, by: Self.sealedChunk).map {
            sealed[$0..<min($0 + Self.sealedChunk, sealed.count)]
        }
    }

    @Test(arguments: TestSeal.allCases) func `a short stream that is cut at any byte is an error`(seal: TestSeal) throws
    {
        let sealed = try seal.seal(content(40))
        for length in 0..<sealed.count {
            let error = openingError(Array(sealed.prefix(length)), try seal.secret(), pieceBytes: 64)
            #expect(error?.code == .sealedFileDamaged)
            #expect(error?.message.contains("byte ") == true)
        }
    }

    @Test func `a stream cut at or near the end of a chunk is an error`() throws {
        let sealed = try TestSeal.forRecipient.seal(content(3 * SealedFileLimits.chunkBytes))
        for boundary in 0...2 {
            for delta in [-1, 0, 1, 17] {
                let length = Self.header + boundary * Self.sealedChunk + delta
                #expect(try code(Array(sealed.prefix(length))) == .sealedFileDamaged)
            }
        }
    }

    @Test func `chunks in another order, left out, repeated or appended are errors`() throws {
        let sealed = try TestSeal.forRecipient.seal(content(3 * SealedFileLimits.chunkBytes + 100))
        let head = Array(sealed.prefix(Self.header))
        let parts = chunks(sealed)
        #expect(parts.count == 4)
        for order in [[1, 0, 2, 3], [0, 2, 1, 3], [0, 1, 3], [1, 2, 3], [0, 1, 1, 2, 3], [0, 1, 2, 3, 3], [3]] {
            #expect(try code(head + order.flatMap { parts[$0] }) == .sealedFileDamaged)
        }
        #expect(try code(head + parts.flatMap { $0 }) == nil)
        #expect(try code(sealed + [0]) == .sealedFileDamaged)
        #expect(try code(sealed + sealed) == .sealedFileDamaged)
    }

    @Test func `bytes after a full last chunk are an error, even if they arrive later`() throws {
        let sealed = try TestSeal.forRecipient.seal(content(SealedFileLimits.chunkBytes))
        let error = openingError(sealed + [1], try RecipientPair.secret(), pieceBytes: sealed.count)
        #expect(error?.code == .sealedFileDamaged)
        #expect(error?.message.contains("byte \(sealed.count)") == true)
    }

    @Test func `chunks of one stream do not open in another one`() throws {
        let one = try TestSeal.forRecipient.seal(content(70_000))
        let other = try TestSeal.forRecipient.seal(content(70_000))
        #expect(try code(Array(one.prefix(Self.header)) + other.dropFirst(Self.header)) == .sealedFileDamaged)
    }

    @Test(arguments: TestSeal.allCases) func `every changed byte is noticed`(seal: TestSeal) throws {
        let sealed = try seal.seal(content(10))
        // Changes in the fields memory and passes of Argon2id could ask for a very expensive derivation. Another test
        // covers these fields.
        let skipped = seal == .forPassphrase ? 21..<33 : 0..<0
        for index in sealed.indices where !skipped.contains(index) {
            var changed = sealed
            changed[index] ^= 0x40
            #expect(openingError(changed, try seal.secret()) != nil)
        }
    }

    @Test func `a key derivation out of bounds is refused before it begins`() throws {
        let sealed = try TestSeal.forPassphrase.seal([1])
        for (memoryBytes, passes): (UInt64, UInt32) in [
            (1 << 30, 1), (.max, 1), (0, 1), (8 << 20, 0), (8 << 20, 9), (8 << 20, .max), ((8 << 20) + 1, 1),
        ] {
            let header = try SealedFileHeader(parsing: sealed)
            guard case .passphrase(_, _, let salt) = header.seal else {
                Issue.record("not sealed with a passphrase")
                return
            }
            let forged = SealedFileHeader(
                seal: .passphrase(memoryBytes: memoryBytes, passes: passes, salt: salt),
                streamHeader: header.streamHeader, authenticator: header.authenticator)
            let error = openingError(forged.bytes + sealed.dropFirst(105), try passphrase("correct horse"))
            #expect(error?.code == .sealedFileDamaged)
        }
    }

    @Test func `after an error the reader returns nothing more`() throws {
        let sealed = try TestSeal.forRecipient.seal(content(10))
        var reader = SealedStreamReader(secret: try RecipientPair.secret())
        var plain: [UInt8] = []
        var first: CryptoError?
        do throws(CryptoError) { try reader.feed([1, 2, 3], to: &plain) } catch { first = error }
        var second: CryptoError?
        do throws(CryptoError) { try reader.feed(sealed, to: &plain) } catch { second = error }
        #expect(first != nil)
        #expect(second == first)
        #expect(plain.isEmpty)
    }
}
