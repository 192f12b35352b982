/// Which of the two master keys that exist during a rotation.
package enum MasterKeyGeneration: Sendable, Hashable {
    case current
    /// Only while a rotation is pending.
    case next
}

/// A keyring with its keys at hand. Changes happen in memory: write `keyring` with `KeyringFile.write` after each,
/// or take the change back with `revert(to:)`.
package struct UnlockedKeyring: ~Copyable, Sendable {
    /// Authenticated, and what a file should hold.
    package internal(set) var keyring: Keyring
    var keys: KeyringKeys
    /// The number of the slot whose secret opened this.
    package let openedSlot: Int

    /// From a keyring that has been checked against these keys.
    init(keyring: Keyring, keys: consuming KeyringKeys, openedSlot: Int) {
        self.keyring = keyring
        self.keys = keys
        self.openedSlot = openedSlot
    }

    /// From new content, which is authenticated here.
    init(content: KeyringContent, keys: consuming KeyringKeys, openedSlot: Int) {
        keyring = content.authenticated(under: keys.authenticity)
        self.keys = keys
        self.openedSlot = openedSlot
    }

    /// Whether there is a next master key: a rotation is pending.
    package var hasNext: Bool {
        keyring.hasPendingRotation
    }

    /// Lends a master key. Asking for the next one when there is none is a programmer's error.
    package borrowing func withMasterKey<R: ~Copyable, E: Error>(
        _ generation: MasterKeyGeneration, _ body: (borrowing MasterKey) throws(E) -> R
    ) throws(E) -> R {
        switch generation {
        case .current:
            return try body(keys.current)
        case .next:
            switch keys.next {
            case .some(let next): return try body(next)
            case .none: preconditionFailure("no rotation is pending")
            }
        }
    }

    /// The database's key under a master key: see `MasterKey.databaseKey`.
    ///
    /// - Throws: `.memoryUnavailable`.
    package borrowing func databaseKey(_ generation: MasterKeyGeneration) throws(CryptoError) -> SecretBytes {
        try withMasterKey(generation) { master throws(CryptoError) in try master.databaseKey() }
    }

    /// The key of the store's mark. It comes from the authenticity key, which no rotation changes.
    ///
    /// - Throws: `.memoryUnavailable`.
    package borrowing func markKey() throws(CryptoError) -> AuthenticationKey {
        AuthenticationKey(
            bytes: try SubkeyDerivation.subkey(
                1, of: keys.authenticity.bytes, context: .authenticityKey, count: AuthenticityKey.keyBytes))
    }

    /// The key of the journal's segments.
    ///
    /// - Throws: `.memoryUnavailable`.
    package borrowing func journalKey(_ generation: MasterKeyGeneration) throws(CryptoError) -> JournalKey {
        try withMasterKey(generation) { master throws(CryptoError) in JournalKey(bytes: try master.subkey(.journal)) }
    }

    /// Takes back a change of slots that could not be written.
    ///
    /// - Throws: `.keyringDamaged` when `earlier` is not of this keyring, or not of the same stage of rotation.
    package mutating func revert(to earlier: Keyring) throws(CryptoError) {
        guard earlier.isAuthentic(under: keys.authenticity),
            earlier.content.currentCheck == keyring.content.currentCheck,
            earlier.content.nextCheck == keyring.content.nextCheck
        else { throw .damaged("the previous keyring has other keys") }
        keyring = earlier
    }
}

extension KeyringContent {
    func authenticated(under key: borrowing AuthenticityKey) -> Keyring {
        Keyring(content: self, authenticator: key.authenticator(of: authenticatedBytes()))
    }
}

extension UnlockedKeyring {
    /// Adds a slot that `secret` opens and answers its number: the lowest that is free. Trying the secret on the slots
    /// there are costs a derivation for each of its kind.
    ///
    /// - Throws: `.slotsFull`, `.labelInvalid`, `.slotExists` for a secret that opens a slot already,
    ///   `.memoryUnavailable`; then nothing has changed.
    package mutating func addSlot(
        secret: borrowing SlotSecret, label: String, cost: KeyDerivationCost = .moderate, nowMicroseconds: Int64
    ) throws(CryptoError) -> Int {
        let description = Slot.Description(
            number: try keyring.content.freeSlotNumber(), label: try SlotLabel(label),
            createdAtMicroseconds: nowMicroseconds, cost: cost)
        try checkOpensNoSlot(secret)
        try place(description, secret: secret)
        return Int(description.number)
    }

    /// Removes a slot. Who knows its secret and kept an old copy of the file can still open that copy: rotate the
    /// master key when that matters.
    ///
    /// - Throws: `.slotNotFound`; `.lastPersonSlot` for the last slot that a person can use, and for the last at all.
    package mutating func removeSlot(_ number: Int) throws(CryptoError) {
        var content = keyring.content
        let slot = try content.slot(number)
        content.slots.removeAll { $0.head.number == slot.head.number }
        guard !content.slots.isEmpty else {
            throw CryptoError(.lastPersonSlot, "slot \(number) is the last slot; add another one before you remove it")
        }
        if slot.head.derivation.kind.isForPerson {
            guard content.slots.contains(where: { $0.head.derivation.kind.isForPerson }) else {
                throw CryptoError(
                    .lastPersonSlot,
                    "slot \(number) is the last slot that a person can use; add a passphrase or recovery code first")
            }
        }
        keyring = content.authenticated(under: keys.authenticity)
    }

    /// Makes the slot that `old` opens open with `new` instead, and answers its number. The slot keeps its number,
    /// label and time, and gets a new key pair, so that an old copy of the file does not open later master keys.
    ///
    /// - Throws: `.wrongKey` when `old` opens no slot; `.secretInvalid` when `new` is of another kind; `.slotExists`
    ///   when `new` opens another slot already; `.memoryUnavailable`. Then nothing has changed.
    package mutating func rewrapSlot(
        opening old: borrowing SlotSecret, new: borrowing SlotSecret, cost: KeyDerivationCost = .moderate
    ) throws(CryptoError) -> Int {
        guard old.kind == new.kind else {
            throw CryptoError(
                .secretInvalid,
                """
                the new secret has another kind than the slot; add a slot for this secret instead
                """)
        }
        let number = try keyring.unlock(with: old).openedSlot
        let head = try keyring.content.slot(number).head
        try checkOpensNoSlot(new, except: number)
        let description = Slot.Description(
            number: head.number, label: head.label, createdAtMicroseconds: head.createdAtMicroseconds, cost: cost)
        try place(description, secret: new)
        return number
    }

    /// One secret in two slots could not be taken away by removing or changing one of them.
    private borrowing func checkOpensNoSlot(
        _ secret: borrowing SlotSecret, except number: Int? = nil
    ) throws(CryptoError) {
        for slot in keyring.content.slots where Int(slot.head.number) != number {
            let opened = try slot.open(with: secret, keyringIdentifier: keyring.content.identifier)
            guard opened == nil else {
                throw CryptoError(
                    .slotExists, "the new secret already opens slot \(slot.head.number); choose another secret")
            }
        }
    }

    private mutating func place(_ description: Slot.Description, secret: borrowing SlotSecret) throws(CryptoError) {
        var content = keyring.content
        content.place(
            try Slot.make(description, secret: secret, keys: keys, keyringIdentifier: content.identifier))
        keyring = content.authenticated(under: keys.authenticity)
    }
}

extension UnlockedKeyring {
    /// Makes a next master key and seals it for every slot; no slot's secret is needed.
    ///
    /// The order that survives a kill at any step: begin, write the keyring, rekey the database, finish, write the
    /// keyring. In between, both keys are in the file and the database tells which one it has.
    ///
    /// - Throws: `.rotationPending`, `.memoryUnavailable`, `.keyringDamaged`; then nothing has changed.
    package mutating func beginRotation() throws(CryptoError) {
        guard !hasNext else { throw CryptoError(.rotationPending, "a rotation is pending; finish or cancel it first") }
        var content = keyring.content
        guard content.generation < KeyringFormat.generationMax else { throw .damaged("the generation cannot increase") }
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
                preconditionFailure("a rotation must seal the new key for every slot")
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
