import Testing

@testable import StoreCrypto

/// Forgeries by an attacker who can write the file and knows its format, but has no slot's secret.
@Suite struct KeyringForgeryTests {
    private let victim: Keyring
    private let victimKey: String

    init() throws {
        var unlocked = try create(keyFile(1))
        _ = try unlocked.addSlot(secret: keyFile(2), label: "second", nowMicroseconds: 0)
        victim = unlocked.keyring
        victimKey = try unlocked.databaseKeyText()
    }

    /// Returns a keyring with this content, authenticated with the forger's own key.
    private func forged(_ content: KeyringContent) throws -> Keyring {
        let forgery = content.authenticated(under: try AuthenticityKey.generate())
        // The checksum and the format are valid, so only unlocking can detect the forgery.
        return try Keyring.parse(forgery.serialized())
    }

    private func unlockingCode(_ keyring: Keyring) -> CryptoError.Code? {
        code { () throws(CryptoError) in _ = try keyring.unlock(with: keyFile(1)) }
    }

    @Test func `the unchanged keyring opens`() throws {
        #expect(try victim.databaseKeyText(unlockingWith: keyFile(1)) == victimKey)
    }

    @Test func `the master key of the forger is refused`() throws {
        let masterKey = try MasterKey.generate()
        var content = victim.content
        content.currentCheck = try masterKey.keyCheck()
        for index in content.slots.indices {
            content.slots[index].sealedCurrent = try SlotKeyPair.seal(
                masterKey, to: content.slots[index].head.publicKey)
        }
        #expect(unlockingCode(try forged(content)) == .keyringDamaged)
    }

    @Test func `the next master key of the forger is refused`() throws {
        let masterKey = try MasterKey.generate()
        var content = victim.content
        content.nextCheck = try masterKey.keyCheck()
        for index in content.slots.indices {
            content.slots[index].sealedNext = try SlotKeyPair.seal(masterKey, to: content.slots[index].head.publicKey)
        }
        #expect(unlockingCode(try forged(content)) == .keyringDamaged)
    }

    @Test func `a slot of the forger is refused`() throws {
        var content = victim.content
        let ownSlot = try create(keyFile(9)).keyring.content.slots[0]
        content.slots = [content.slots[0], ownSlot.numbered(7)]
        #expect(unlockingCode(try forged(content)) == .keyringDamaged)
        #expect(unlockingCode(Keyring(content: content, authenticator: victim.authenticator)) == .keyringDamaged)
    }

    @Test func `slots put into a keyring of the forger are refused`() throws {
        var content = try create(keyFile(9)).keyring.content
        content.slots = victim.content.slots
        #expect(unlockingCode(try forged(content)) == .keyringDamaged)
    }

    @Test func `a slot under another number is refused`() throws {
        var content = victim.content
        content.slots = [content.slots[0].numbered(3)]
        #expect(unlockingCode(try forged(content)) == .keyringDamaged)
    }

    @Test func `a removed slot is noticed`() throws {
        var content = victim.content
        content.slots.removeLast()
        #expect(unlockingCode(Keyring(content: content, authenticator: victim.authenticator)) == .keyringDamaged)
    }

    @Test func `wraps exchanged between slots are refused`() throws {
        var content = victim.content
        let (first, second) = (content.slots[0], content.slots[1])
        content.slots[0] = Slot(
            head: first.head, commitment: first.commitment, wrap: second.wrap, sealedCurrent: first.sealedCurrent,
            sealedNext: nil)
        #expect(unlockingCode(try forged(content)) == .keyringDamaged)
    }

    /// Even an attacker with the authenticity key cannot substitute a master key that does not match the recorded
    /// check.
    @Test func `a master key that does not match its check is refused`() throws {
        let unlocked = try victim.unlock(with: keyFile(1))
        var content = victim.content
        content.currentCheck = try MasterKey.generate().keyCheck()
        let keyring = content.authenticated(under: unlocked.keys.authenticity)
        #expect(unlockingCode(keyring) == .keyringDamaged)
    }

    @Test func `a public key of low order is refused when sealing`() throws {
        let thrown = code { () throws(CryptoError) in
            _ = try SlotKeyPair.seal(MasterKey.generate(), to: [UInt8](repeating: 0, count: 32))
        }
        #expect(thrown == .keyringDamaged)
    }
}

extension Slot {
    fileprivate func numbered(_ number: UInt8) -> Slot {
        Slot(
            head: SlotHead(
                number: number, createdAtMicroseconds: head.createdAtMicroseconds, derivation: head.derivation,
                salt: head.salt, publicKey: head.publicKey, label: head.label),
            commitment: commitment, wrap: wrap, sealedCurrent: sealedCurrent, sealedNext: sealedNext)
    }
}
