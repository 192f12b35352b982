import StoreBasics
import StoreCrypto
import Testing

@Suite struct KeyringUnlockTests {
    @Test(arguments: SlotKind.allCases) func `every kind of secret opens the keyring that was created with it`(
        kind: SlotKind
    ) throws {
        let created = try create(secret(kind))
        let key = try created.databaseKeyText()
        let keyring = try Keyring.parse(created.keyring.serialized())
        #expect(keyring == created.keyring)
        let unlocked = try keyring.unlock(with: secret(kind))
        #expect(try unlocked.databaseKeyText() == key)
        #expect(unlocked.openedSlot == 1)
        let hasNext = unlocked.hasNext
        #expect(!hasNext)
        #expect(keyring.generation == 0)
        #expect(keyring.slots.map(\.kind) == [kind])
        #expect(keyring.slots.map(\.label) == ["first"])
        #expect(keyring.slots.map(\.createdAtMicroseconds) == [1_700_000_000_000_000])
        #expect(keyring.slots.map(\.cost) == [kind == .passphrase ? .lowForTests : nil])
    }

    @Test(arguments: SlotKind.allCases, SlotKind.allCases)
    func `another secret of any kind is reported as a wrong key`(created: SlotKind, tried: SlotKind) throws {
        let keyring = try create(secret(created)).keyring
        let thrown = code { () throws(CryptoError) in _ = try keyring.unlock(with: secret(tried, 2)) }
        #expect(thrown == .wrongKey)
    }

    @Test func `the same bytes as another kind of secret are reported as a wrong key`() throws {
        let keyring = try create(keyFile(7, kind: .keyFile)).keyring
        let thrown = code { () throws(CryptoError) in _ = try keyring.unlock(with: keyFile(7, kind: .credential)) }
        #expect(thrown == .wrongKey)
    }

    @Test func `two keyrings with the same secret have different keys and bytes`() throws {
        let first = try create(keyFile(1))
        let second = try create(keyFile(1))
        #expect(try first.databaseKeyText() != second.databaseKeyText())
        #expect(first.keyring.serialized() != second.keyring.serialized())
    }

    @Test func `a keyring file contains neither the secret nor the key`() throws {
        let created = try create(keyFile(0xa7))
        let file = Hexadecimal.encode(created.keyring.serialized())
        let key = try created.databaseKeyText()
        #expect(!file.contains(String(key.dropFirst(2).prefix(32))))
        #expect(!file.contains(String(repeating: "a7", count: 8)))
    }

    @Test(arguments: ["", "Küche ✨", String(repeating: "x", count: 64)])
    func `valid labels are stored`(label: String) throws {
        let keyring = try create(keyFile(1), label: label).keyring
        #expect(try Keyring.parse(keyring.serialized()).slots.map(\.label) == [label])
    }

    @Test(arguments: [String(repeating: "x", count: 65), String(repeating: "é", count: 33), "a\nb", "\u{0}", "\u{7f}"])
    func `invalid labels are refused`(label: String) {
        #expect(code { () throws(CryptoError) in _ = try create(keyFile(1), label: label) } == .labelInvalid)
    }
}
