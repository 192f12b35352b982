import StoreBasics
import TestBasics
import Testing

@testable import StoreCrypto

@Suite struct ChunkSealTests {
    private static let ciphers: [ChunkCipher] = {
        try? SodiumRuntime.start()
        return ChunkCipher.allCases.filter(\.isAvailable)
    }()
    private static let place = ChunkPlace(chunk: 7, generation: 3)

    @Test(arguments: ciphers, [0, 1, 15, 16, 4_096, 65_536]) func `a chunk opens with its original content`(
        cipher: ChunkCipher, count: Int
    ) throws {
        let seal = try ChunkSeal(cipher, of: .random(), under: .generate())
        var random = SplitMix(seed: 1)
        let plaintext = random.bytes(count)
        let sealed = Self.sealed(plaintext, with: seal)
        #expect(sealed.count == count + cipher.overheadBytes)
        #expect(Self.opened(sealed, with: seal) == plaintext)
    }

    @Test(arguments: ciphers) func `the same chunk is never sealed to the same bytes`(_ cipher: ChunkCipher) throws {
        let seal = try ChunkSeal(cipher, of: .random(), under: .generate())
        let sealed = (0..<100).map { _ in Self.sealed([1, 2, 3], with: seal) }
        #expect(Set(sealed.map { Array($0.prefix(cipher.nonceBytes)) }).count == sealed.count)
    }

    @Test(arguments: ciphers) func `a chunk with any bit flipped does not open`(_ cipher: ChunkCipher) throws {
        let seal = try ChunkSeal(cipher, of: .random(), under: .generate())
        let sealed = Self.sealed(Array("a chunk of some bytes".utf8), with: seal)
        for bit in 0..<(sealed.count * 8) {
            var damaged = sealed
            damaged[bit / 8] ^= 1 << (bit % 8)
            #expect(Self.opened(damaged, with: seal) == nil)
        }
    }

    @Test(arguments: ciphers) func `a chunk that is shorter or longer does not open`(_ cipher: ChunkCipher) throws {
        let seal = try ChunkSeal(cipher, of: .random(), under: .generate())
        let sealed = Self.sealed([1, 2, 3, 4], with: seal)
        for count in 0..<sealed.count {
            #expect(Self.opened(Array(sealed.prefix(count)), with: seal) == nil)
        }
        #expect(Self.opened(sealed + [0], with: seal) == nil)
    }

    @Test(arguments: ciphers) func `a chunk does not open with another position, generation, content or key`(
        _ cipher: ChunkCipher
    ) throws {
        let id = try ContentID.random()
        let key = try ContentKey.generate()
        let seal = try ChunkSeal(cipher, of: id, under: key)
        let sealed = Self.sealed([1, 2, 3], with: seal)
        #expect(Self.opened(sealed, with: seal, at: ChunkPlace(chunk: 8, generation: 3)) == nil)
        #expect(Self.opened(sealed, with: seal, at: ChunkPlace(chunk: 7, generation: 2)) == nil)
        #expect(Self.opened(sealed, with: seal, at: ChunkPlace(chunk: 3, generation: 7)) == nil)
        let other = try ChunkSeal(cipher, of: .random(), under: key)
        #expect(Self.opened(sealed, with: other) == nil)
        let foreign = try ChunkSeal(cipher, of: id, under: .generate())
        #expect(Self.opened(sealed, with: foreign) == nil)
        let again = try ChunkSeal(cipher, of: id, under: key)
        #expect(Self.opened(sealed, with: again) == [1, 2, 3])
    }

    @Test func `the fastest cipher is available on this machine`() throws {
        let fastest = try ChunkCipher.fastest()
        #expect(fastest.isAvailable)
        #expect(Self.ciphers.first == fastest)
    }

    @Test(
        .enabled(if: ciphers.contains(.aes256GCM), "the processor has no AES"), arguments: [0, 1, 17, 4_096, 65_536]
    )
    func `libcrypto and libsodium open each other's chunks`(count: Int) throws {
        let id = try ContentID.random()
        let key = try ContentKey.generate()
        let fast = try ChunkSeal(.aes256GCM, of: id, under: key)
        let slow = try ChunkSeal(.aes256GCM, of: id, under: key, usesLibcrypto: false)
        var random = SplitMix(seed: 2)
        let plaintext = random.bytes(count)
        #expect(Self.opened(Self.sealed(plaintext, with: fast), with: slow) == plaintext)
        #expect(Self.opened(Self.sealed(plaintext, with: slow), with: fast) == plaintext)
        var damaged = Self.sealed(plaintext, with: slow)
        damaged[damaged.count - 1] ^= 1
        #expect(Self.opened(damaged, with: fast) == nil)
    }

    @Test(arguments: ciphers)
    func `a chunk opens into another buffer, and a chunk that does not open leaves zeros in it`(
        _ cipher: ChunkCipher
    ) throws {
        let seal = try ChunkSeal(cipher, of: .random(), under: .generate())
        var sealed = Self.sealed([1, 2, 3, 4], with: seal)
        let original = sealed
        var plaintext = [UInt8](repeating: 9, count: 4)
        let open = { (sealed: inout [UInt8], plaintext: inout [UInt8]) in
            sealed.withUnsafeMutableBytes { sealed in
                plaintext.withUnsafeMutableBytes { seal.open(sealed, into: $0, at: Self.place) }
            }
        }
        #expect(open(&sealed, &plaintext))
        #expect(plaintext == [1, 2, 3, 4] && sealed == original)
        sealed[sealed.count - 1] ^= 0x80
        plaintext = [9, 9, 9, 9]
        #expect(!open(&sealed, &plaintext))
        #expect(plaintext == [0, 0, 0, 0])
    }

    private static func sealed(_ plaintext: [UInt8], with seal: borrowing ChunkSeal) -> [UInt8] {
        var sealed = [UInt8](repeating: 0, count: plaintext.count + seal.cipher.overheadBytes)
        sealed.replaceSubrange(seal.plaintextRange(sealedBytes: sealed.count), with: plaintext)
        sealed.withUnsafeMutableBytes { seal.seal($0, at: place) }
        return sealed
    }

    private static func opened(
        _ sealed: [UInt8], with seal: borrowing ChunkSeal, at place: ChunkPlace = place
    ) -> [UInt8]? {
        var bytes = sealed
        let isOpened = bytes.withUnsafeMutableBytes { seal.open($0, at: place) }
        return isOpened ? Array(bytes[seal.plaintextRange(sealedBytes: bytes.count)]) : nil
    }
}
