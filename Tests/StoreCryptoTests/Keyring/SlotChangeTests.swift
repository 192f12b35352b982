import StoreCrypto
import Testing

@Suite struct SlotChangeTests {
    @Test func `added slots of every kind open to the same key`() throws {
        var unlocked = try create(keyFile(9), label: "root")
        let key = try unlocked.databaseKeyText()
        for (index, kind) in SlotKind.allCases.enumerated() {
            let number = try unlocked.addSlot(
                secret: secret(kind), label: "slot \(index)", cost: .lowForTests, nowMicroseconds: Int64(index))
            #expect(number == index + 2)
        }
        let keyring = try Keyring.parse(unlocked.keyring.serialized())
        #expect(keyring.slots.map(\.label) == ["root", "slot 0", "slot 1", "slot 2", "slot 3"])
        for (index, kind) in SlotKind.allCases.enumerated() {
            let opened = try keyring.unlock(with: secret(kind))
            #expect(try opened.databaseKeyText() == key)
            #expect(opened.openedSlot == index + 2)
        }
    }

    @Test func `two slots of one kind each open with their own secret`() throws {
        var unlocked = try create(passphrase("one"))
        _ = try unlocked.addSlot(secret: passphrase("two"), label: "", cost: .lowForTests, nowMicroseconds: 0)
        #expect(try unlocked.keyring.unlock(with: passphrase("one")).openedSlot == 1)
        #expect(try unlocked.keyring.unlock(with: passphrase("two")).openedSlot == 2)
    }

    @Test(arguments: SlotKind.allCases)
    func `a secret that already opens a slot is refused for a new slot and as a changed secret`(kind: SlotKind) throws {
        var unlocked = try create(keyFile(9))
        _ = try unlocked.addSlot(secret: secret(kind), label: "", cost: .lowForTests, nowMicroseconds: 0)
        let second = try secret(kind, 2)
        _ = try unlocked.addSlot(secret: second, label: "", cost: .lowForTests, nowMicroseconds: 0)
        let before = unlocked.keyring
        let adding = code(changing: &unlocked) { (keyring) throws(CryptoError) in
            _ = try keyring.addSlot(secret: secret(kind), label: "", cost: .lowForTests, nowMicroseconds: 0)
        }
        let changing = code(changing: &unlocked) { (keyring) throws(CryptoError) in
            _ = try keyring.rewrapSlot(opening: secret(kind), new: second, cost: .lowForTests)
        }
        #expect(adding == .slotExists && changing == .slotExists)
        #expect(unlocked.keyring == before)
        let sameAgain = try unlocked.rewrapSlot(opening: secret(kind), new: secret(kind), cost: .lowForTests)
        #expect(sameAgain == 2)
        // The secret of a removed slot never opens the keyring again.
        try unlocked.removeSlot(3)
        #expect(code { () throws(CryptoError) in _ = try unlocked.keyring.unlock(with: second) } == .wrongKey)
    }

    @Test func `a seventeenth slot is refused and changes nothing`() throws {
        var unlocked = try create(keyFile(1))
        for number in 2...16 {
            let answered = try unlocked.addSlot(secret: keyFile(UInt8(number)), label: "", nowMicroseconds: 0)
            #expect(answered == number)
        }
        let before = unlocked.keyring
        let thrown = code(changing: &unlocked) { (keyring) throws(CryptoError) in
            _ = try keyring.addSlot(secret: keyFile(17), label: "", nowMicroseconds: 0)
        }
        #expect(thrown == .slotsFull)
        #expect(unlocked.keyring == before)
        #expect(try Keyring.parse(before.serialized()).unlock(with: keyFile(16)).openedSlot == 16)
        #expect(before.serialized().count <= 64 << 10)
    }

    @Test func `a removed slot no longer opens and its number is free`() throws {
        var unlocked = try create(passphrase("stays"))
        let key = try unlocked.databaseKeyText()
        _ = try unlocked.addSlot(secret: keyFile(2), label: "", nowMicroseconds: 0)
        _ = try unlocked.addSlot(secret: keyFile(3), label: "", nowMicroseconds: 0)
        try unlocked.removeSlot(2)
        #expect(unlocked.keyring.slots.map(\.number) == [1, 3])
        let thrown = code { () throws(CryptoError) in _ = try unlocked.keyring.unlock(with: keyFile(2)) }
        #expect(thrown == .wrongKey)
        #expect(try unlocked.keyring.databaseKeyText(unlockingWith: keyFile(3)) == key)
        let answered = try unlocked.addSlot(secret: keyFile(4), label: "", nowMicroseconds: 0)
        #expect(answered == 2)
        #expect(try Keyring.parse(unlocked.keyring.serialized()).slots.map(\.number) == [1, 2, 3])
    }

    @Test(arguments: [0, 2, 17, -1, .max]) func `removing an absent slot is refused`(number: Int) throws {
        var unlocked = try create(keyFile(1))
        let refused1 = code(changing: &unlocked) { (keyring) throws(CryptoError) in try keyring.removeSlot(number) }
        #expect(refused1 == .slotNotFound)
    }

    @Test func `the last slot that a person can use is never removed`() throws {
        var unlocked = try create(passphrase("person"))
        _ = try unlocked.addSlot(secret: keyFile(2), label: "", nowMicroseconds: 0)
        let before = unlocked.keyring
        let refused2 = code(changing: &unlocked) { (keyring) throws(CryptoError) in try keyring.removeSlot(1) }
        #expect(refused2 == .lastPersonSlot)
        #expect(unlocked.keyring == before)
        _ = try unlocked.addSlot(secret: secret(.recoveryCode), label: "", nowMicroseconds: 0)
        try unlocked.removeSlot(1)
        let refused3 = code(changing: &unlocked) { (keyring) throws(CryptoError) in try keyring.removeSlot(3) }
        #expect(refused3 == .lastPersonSlot)
        try unlocked.removeSlot(2)
        #expect(unlocked.keyring.slots.map(\.kind) == [.recoveryCode])
    }

    @Test func `the last slot cannot be removed`() throws {
        var unlocked = try create(keyFile(1))
        let refused4 = code(changing: &unlocked) { (keyring) throws(CryptoError) in try keyring.removeSlot(1) }
        #expect(refused4 == .lastPersonSlot)
        _ = try unlocked.addSlot(secret: keyFile(2), label: "", nowMicroseconds: 0)
        try unlocked.removeSlot(1)
        #expect(try unlocked.keyring.unlock(with: keyFile(2)).openedSlot == 2)
    }

    @Test(arguments: SlotKind.allCases) func `a rewrapped slot opens with the new secret only`(kind: SlotKind) throws {
        var unlocked = try create(keyFile(9))
        let key = try unlocked.databaseKeyText()
        let number = try unlocked.addSlot(
            secret: secret(kind), label: "mine", cost: .lowForTests, nowMicroseconds: 77)
        let newSecret = try secret(kind, 2)
        let answered = try unlocked.rewrapSlot(opening: secret(kind), new: newSecret, cost: .lowForTests)
        #expect(answered == number)
        let keyring = try Keyring.parse(unlocked.keyring.serialized())
        #expect(try keyring.databaseKeyText(unlockingWith: newSecret) == key)
        #expect(code { () throws(CryptoError) in _ = try keyring.unlock(with: secret(kind)) } == .wrongKey)
        #expect(keyring.slots.map(\.label) == ["first", "mine"])
        #expect(keyring.slots.last?.createdAtMicroseconds == 77)
    }

    @Test func `rewrapping with a wrong old secret changes nothing`() throws {
        var unlocked = try create(passphrase("right"))
        let before = unlocked.keyring
        let thrown = code(changing: &unlocked) { (keyring) throws(CryptoError) in
            _ = try keyring.rewrapSlot(opening: passphrase("wrong"), new: passphrase("new"), cost: .lowForTests)
        }
        #expect(thrown == .wrongKey)
        #expect(unlocked.keyring == before)
    }

    @Test func `rewrapping to another kind is refused`() throws {
        var unlocked = try create(passphrase("person"))
        let thrown = code(changing: &unlocked) { (keyring) throws(CryptoError) in
            _ = try keyring.rewrapSlot(opening: passphrase("person"), new: keyFile(1), cost: .lowForTests)
        }
        #expect(thrown == .secretInvalid)
    }

    @Test func `rewrapping raises the cost`() throws {
        var unlocked = try create(passphrase("old"))
        let cost = try KeyDerivationCost(memoryBytes: 16 << 20, passes: 2)
        _ = try unlocked.rewrapSlot(opening: passphrase("old"), new: passphrase("new"), cost: cost)
        #expect(unlocked.keyring.slots.map(\.cost) == [cost])
        #expect(try unlocked.keyring.unlock(with: passphrase("new")).openedSlot == 1)
    }

    @Test func `a change that could not be written is undone`() throws {
        var unlocked = try create(passphrase("person"))
        let before = unlocked.keyring
        _ = try unlocked.addSlot(secret: keyFile(2), label: "", nowMicroseconds: 0)
        try unlocked.revert(to: before)
        #expect(unlocked.keyring == before)
        let answered = try unlocked.addSlot(secret: keyFile(3), label: "", nowMicroseconds: 0)
        #expect(answered == 2)
    }

    @Test func `going back to another keyring or stage of rotation is refused`() throws {
        var unlocked = try create(passphrase("person"))
        let other = try create(passphrase("person")).keyring
        let before = unlocked.keyring
        try unlocked.beginRotation()
        let refused5 = code(changing: &unlocked) { (keyring) throws(CryptoError) in try keyring.revert(to: other) }
        #expect(refused5 == .keyringDamaged)
        let refused6 = code(changing: &unlocked) { (keyring) throws(CryptoError) in try keyring.revert(to: before) }
        #expect(refused6 == .keyringDamaged)
        unlocked.finishRotation()
        let refused7 = code(changing: &unlocked) { (keyring) throws(CryptoError) in try keyring.revert(to: before) }
        #expect(refused7 == .keyringDamaged)
    }
}
