extension UnlockedKeyring {
    /// Makes a next master key and seals it for every slot; no slot's secret is needed.
    ///
    /// The order that survives a kill at any step: begin, write the keyring, rekey the database, finish, write the
    /// keyring. In between, both keys are in the file and the database tells which one it has.
    ///
    /// - Throws: `.rotationPending`, `.memoryUnavailable`, `.keyringDamaged`; then nothing has changed.
    package mutating func beginRotation() throws(CryptoError) {
        guard !hasNext else {
            throw CryptoError(.rotationPending, "a rotation is pending; finish or cancel it first")
        }
        var content = keyring.content
        guard content.generation < KeyringFormat.generationMax else {
            throw .damaged("its generation cannot grow")
        }
        let next = try MasterKey.generate()
        content.nextCheck = try next.keyCheck()
        for index in content.slots.indices {
            content.slots[index].sealedNext = try SlotKeyPair.seal(
                next, to: content.slots[index].head.publicKey)
        }
        keys.next = consume next
        keyring = content.authenticated(under: keys.authenticity)
    }

    /// The next master key becomes the current one; the old one is wiped. Without a pending rotation this is a
    /// programmer's error.
    package mutating func finishRotation() {
        var content = keyring.content
        guard let next = keys.next.take(), let nextCheck = content.nextCheck else {
            preconditionFailure("no rotation is pending")
        }
        keys.current = next
        content.currentCheck = nextCheck
        content.nextCheck = nil
        content.generation += 1
        for index in content.slots.indices {
            guard let sealed = content.slots[index].sealedNext else {
                preconditionFailure("a rotation seals its key for every slot")
            }
            content.slots[index].sealedCurrent = sealed
            content.slots[index].sealedNext = nil
        }
        keyring = content.authenticated(under: keys.authenticity)
    }

    /// Forgets the next master key. Without a pending rotation this is a programmer's error.
    package mutating func cancelRotation() {
        precondition(hasNext, "no rotation is pending")
        var content = keyring.content
        keys.next = nil
        content.nextCheck = nil
        for index in content.slots.indices {
            content.slots[index].sealedNext = nil
        }
        keyring = content.authenticated(under: keys.authenticity)
    }
}
