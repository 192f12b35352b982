import StoreBasics
import TestBasics
import Testing

@testable import StoreCrypto

@Suite struct KeyringDamageTests {
    private static let mebibyte: UInt64 = 1 << 20
    private static let costsOutOfRange: [(memoryBytes: UInt64, passes: UInt32)] = [
        (8 * mebibyte - 1_024, 1), (0, 1), (8 * mebibyte, 0), (1_024 * mebibyte + 1_024, 1), (1_024 * mebibyte, 17),
        (.max, .max), (1_024 * 1_024 * mebibyte, 3),
    ]

    /// Returns a keyring file that uses every field: a slot for a key file, a slot for a passphrase and a pending
    /// rotation.
    private func file() throws -> [UInt8] {
        var unlocked = try create(keyFile(1), label: "key")
        _ = try unlocked.addSlot(
            secret: passphrase("second"), label: "person", cost: .lowForTests, nowMicroseconds: 5)
        try unlocked.beginRotation()
        return unlocked.keyring.serialized()
    }

    private func withChecksum(_ body: some Sequence<UInt8>) -> [UInt8] {
        let bytes = Array(body)
        return bytes + Blake2b.digest(of: bytes)
    }

    private func parsingCode(_ file: [UInt8]) -> CryptoError.Code? {
        code { () throws(CryptoError) in _ = try Keyring.parse(file) }
    }

    @Test(arguments: [UInt8(0x01), 0x80, 0xff]) func `every changed byte is reported as damage`(change: UInt8) throws {
        let file = try file()
        for place in file.indices {
            var changed = file
            changed[place] ^= change
            #expect(parsingCode(changed) == .keyringDamaged, "byte \(place)")
        }
    }

    /// An attacker who can write the file can correct the checksum, so the authenticator must detect every change.
    @Test(arguments: [UInt8(0x01), 0x80])
    func `every forged byte is noticed when unlocking with the right secret`(change: UInt8) throws {
        let body = try file().dropLast(KeyringFormat.checksumBytes)
        for place in body.indices {
            var changed = Array(body)
            changed[place] ^= change
            let thrown = code { () throws(CryptoError) in
                _ = try Keyring.parse(withChecksum(changed)).unlock(with: keyFile(1))
            }
            let isVersion = (16..<20).contains(place)
            let expected: [CryptoError.Code?] = isVersion ? [.keyringVersionUnknown] : [.keyringDamaged, .wrongKey]
            #expect(expected.contains(thrown), "byte \(place): \(String(describing: thrown))")
        }
    }

    @Test func `only changes of the salt or the commitment are reported as a wrong key`() throws {
        let file = try file()
        let head = try Keyring.parse(file).content.slots[0].head
        let headStart = 16 + 4 + 16 + 8 + 4 + 32 + 32 + 2
        let commitmentStart = headStart + KeyringFormat.bytes(of: head).count
        var wrongKeys = Set<Int>()
        for place in file.indices.dropLast(KeyringFormat.checksumBytes) {
            var changed = Array(file.dropLast(KeyringFormat.checksumBytes))
            changed[place] ^= 0x10
            let thrown = code { () throws(CryptoError) in
                _ = try Keyring.parse(withChecksum(changed)).unlock(with: keyFile(1))
            }
            if thrown == .wrongKey { wrongKeys.insert(place) }
        }
        let salt = headStart + 22..<headStart + 38
        #expect(wrongKeys == Set(salt).union(commitmentStart..<commitmentStart + 32))
    }

    @Test func `every truncation is reported as damage`() throws {
        let file = try file()
        for count in 0..<file.count {
            #expect(parsingCode(Array(file.prefix(count))) == .keyringDamaged, "\(count) bytes")
        }
    }

    @Test func `every truncation with a corrected checksum is reported as damage`() throws {
        let body = try file().dropLast(KeyringFormat.checksumBytes)
        for count in 0..<body.count {
            #expect(parsingCode(withChecksum(body.prefix(count))) == .keyringDamaged, "\(count) bytes")
        }
    }

    @Test func `trailing bytes are reported as damage`() throws {
        let file = try file()
        #expect(parsingCode(file + [0]) == .keyringDamaged)
        let body = file.dropLast(KeyringFormat.checksumBytes)
        #expect(parsingCode(withChecksum(Array(body) + [0])) == .keyringDamaged)
        let trailer = KeyringFormat.checksumBytes + KeyringFormat.authenticatorBytes
        let withSpare = Array(file.dropLast(trailer)) + [0] + body.suffix(KeyringFormat.authenticatorBytes)
        #expect(parsingCode(withChecksum(withSpare)) == .keyringDamaged)
    }

    @Test func `files larger than the limit are reported as damage`() {
        let large = KeyringFormat.magic + [UInt8](repeating: 0, count: 64 << 10)
        #expect(parsingCode(large) == .keyringDamaged)
    }

    @Test func `a newer version is not reported as damage`() throws {
        var body = Array(try file().dropLast(KeyringFormat.checksumBytes))
        body[19] = 2
        #expect(parsingCode(withChecksum(body)) == .keyringVersionUnknown)
        body.insert(contentsOf: [1, 2, 3], at: 100)
        #expect(parsingCode(withChecksum(body)) == .keyringVersionUnknown)
    }

    /// `start` is the offset of the fields memory and passes in the first slot: the sum of the sizes of all fields
    /// before them.
    @Test(arguments: Self.costsOutOfRange)
    func `a cost out of range is reported as damage before any derivation`(memoryBytes: UInt64, passes: UInt32) throws {
        var body = Array(try create(passphrase("only")).keyring.serialized().dropLast(KeyringFormat.checksumBytes))
        var cost: [UInt8] = []
        cost.append(bigEndian: memoryBytes)
        cost.append(bigEndian: passes)
        let start = 16 + 4 + 16 + 8 + 4 + 32 + 2 + 10
        body.replaceSubrange(start..<start + 12, with: cost)
        #expect(parsingCode(withChecksum(body)) == .keyringDamaged)
    }

    /// A mutated file that is accepted must be serialized to the same bytes.
    @Test(arguments: TestSeeds.range(2, long: 8))
    func `mutated files are refused or written back the same`(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let body = Array(try file().dropLast(KeyringFormat.checksumBytes))
        var accepted = 0
        for _ in 0..<TestTier.count(1_000, long: 3_000) {
            var changed = body
            for _ in 0...Int.random(in: 0..<3, using: &random) where !changed.isEmpty {
                let place = Int.random(in: 0..<changed.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: changed[place] = UInt8.random(in: 0...255, using: &random)
                case 1: changed.remove(at: place)
                case 2: changed.insert(UInt8.random(in: 0...255, using: &random), at: place)
                default: changed.removeSubrange(place..<min(changed.count, place + 40))
                }
            }
            let file = withChecksum(changed)
            guard let keyring = try? Keyring.parse(file) else { continue }
            #expect(keyring.serialized() == file, "seed \(seed)")
            accepted += 1
        }
        #expect(accepted > 0, "no mutation was accepted, so nothing was compared")
    }
}
