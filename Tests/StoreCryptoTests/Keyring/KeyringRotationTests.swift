import Testing

@testable import StoreCrypto

@Suite struct KeyringRotationTests {
    /// Returns a keyring with three slots that was unlocked with the key file, without the other two secrets.
    private func unlocked() throws -> UnlockedKeyring {
        var unlocked = try create(secret(.passphrase))
        _ = try unlocked.addSlot(secret: secret(.recoveryCode), label: "", nowMicroseconds: 0)
        _ = try unlocked.addSlot(secret: keyFile(1), label: "", nowMicroseconds: 0)
        return try Keyring.parse(unlocked.keyring.serialized()).unlock(with: keyFile(1))
    }

    @Test func `a begun rotation has both keys for every slot`() throws {
        var unlocked = try unlocked()
        let old = try unlocked.databaseKeyText()
        try unlocked.beginRotation()
        let new = try unlocked.databaseKeyText(.next)
        #expect(new != old)
        #expect(try unlocked.databaseKeyText(.current) == old)
        let keyring = try Keyring.parse(unlocked.keyring.serialized())
        #expect(keyring.hasPendingRotation)
        #expect(keyring.generation == 0)
        for kind in [SlotKind.passphrase, .recoveryCode, .keyFile] {
            #expect(try keyring.databaseKeyText(unlockingWith: secret(kind), .current) == old)
            #expect(try keyring.databaseKeyText(unlockingWith: secret(kind), .next) == new)
        }
    }

    @Test func `a finished rotation has the new key for every slot`() throws {
        var unlocked = try unlocked()
        try unlocked.beginRotation()
        let new = try unlocked.databaseKeyText(.next)
        unlocked.finishRotation()
        #expect(try unlocked.databaseKeyText() == new)
        let keyring = try Keyring.parse(unlocked.keyring.serialized())
        #expect(!keyring.hasPendingRotation)
        #expect(keyring.generation == 1)
        for kind in [SlotKind.passphrase, .recoveryCode, .keyFile] {
            #expect(try keyring.databaseKeyText(unlockingWith: secret(kind)) == new)
        }
    }

    @Test func `a cancelled rotation leaves the keyring unchanged`() throws {
        var unlocked = try unlocked()
        let before = unlocked.keyring
        try unlocked.beginRotation()
        unlocked.cancelRotation()
        let hasNext = unlocked.hasNext
        #expect(!hasNext)
        #expect(unlocked.keyring == before)
    }

    @Test func `rotation is finished or cancelled after a restart`() throws {
        var unlocked = try unlocked()
        let old = try unlocked.databaseKeyText()
        try unlocked.beginRotation()
        let new = try unlocked.databaseKeyText(.next)
        let file = unlocked.keyring.serialized()
        var finished = try Keyring.parse(file).unlock(with: secret(.passphrase))
        finished.finishRotation()
        #expect(try finished.keyring.databaseKeyText(unlockingWith: secret(.recoveryCode)) == new)
        var cancelled = try Keyring.parse(file).unlock(with: secret(.passphrase))
        cancelled.cancelRotation()
        #expect(try cancelled.keyring.databaseKeyText(unlockingWith: secret(.recoveryCode)) == old)
    }

    @Test func `a second rotation while one is pending is refused`() throws {
        var unlocked = try unlocked()
        try unlocked.beginRotation()
        let before = unlocked.keyring
        let refused1 = code(changing: &unlocked) { (keyring) throws(CryptoError) in try keyring.beginRotation() }
        #expect(refused1 == .rotationPending)
        #expect(unlocked.keyring == before)
    }

    @Test func `slots added and rewrapped during a rotation have both keys`() throws {
        var unlocked = try unlocked()
        try unlocked.beginRotation()
        let (old, new) = (try unlocked.databaseKeyText(.current), try unlocked.databaseKeyText(.next))
        _ = try unlocked.addSlot(secret: keyFile(8), label: "", nowMicroseconds: 0)
        _ = try unlocked.rewrapSlot(opening: secret(.passphrase), new: passphrase("changed"), cost: .lowForTests)
        try unlocked.removeSlot(2)
        let keyring = try Keyring.parse(unlocked.keyring.serialized())
        #expect(try keyring.databaseKeyText(unlockingWith: keyFile(8), .current) == old)
        #expect(try keyring.databaseKeyText(unlockingWith: keyFile(8), .next) == new)
        #expect(try keyring.databaseKeyText(unlockingWith: passphrase("changed"), .next) == new)
        unlocked.finishRotation()
        #expect(try unlocked.keyring.databaseKeyText(unlockingWith: keyFile(8)) == new)
    }

    @Test func `each rotation increments the generation`() throws {
        var unlocked = try unlocked()
        var seen: Set<String> = [try unlocked.databaseKeyText()]
        for rotation in 1...20 {
            try unlocked.beginRotation()
            unlocked.finishRotation()
            seen.insert(try unlocked.databaseKeyText())
            #expect(unlocked.keyring.generation == UInt64(rotation))
        }
        #expect(seen.count == 21)
    }

    @Test func `no rotation begins at the largest generation`() throws {
        let unlocked = try create(keyFile(1))
        var content = unlocked.keyring.content
        content.generation = KeyringFormat.generationMax
        let keyring = content.authenticated(under: unlocked.keys.authenticity)
        var reopened = try Keyring.parse(keyring.serialized()).unlock(with: keyFile(1))
        let refused2 = code(changing: &reopened) { (keyring) throws(CryptoError) in try keyring.beginRotation() }
        #expect(refused2 == .keyringDamaged)
    }

    /// An old keyring file and the old passphrase give the old key, not the key after a change and a rotation.
    @Test func `the old passphrase with the old slot does not open later keys`() throws {
        var unlocked = try create(passphrase("old"))
        let oldSlot = unlocked.keyring.content.slots[0]
        _ = try unlocked.rewrapSlot(opening: passphrase("old"), new: passphrase("new"), cost: .lowForTests)
        try unlocked.beginRotation()
        unlocked.finishRotation()
        let newSlot = unlocked.keyring.content.slots[0]
        #expect(newSlot.head.publicKey != oldSlot.head.publicKey)
        let thrown = code { () throws(CryptoError) in
            let opened = try oldSlot.open(
                with: passphrase("old"), keyringIdentifier: unlocked.keyring.content.identifier)
            guard let opened else { return }
            _ = try opened.keyPair.open(newSlot.sealedCurrent)
        }
        #expect(thrown == .keyringDamaged)
    }

    @Test func `asking for the next key without a rotation stops the program`() async {
        await #expect(processExitsWith: .success) {
            _ = try create(keyFile(1)).databaseKeyText(.current)
        }
        await #expect(processExitsWith: .failure) {
            _ = try create(keyFile(1)).databaseKeyText(.next)
        }
    }
}
