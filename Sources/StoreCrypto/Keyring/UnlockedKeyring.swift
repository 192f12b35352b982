/// The two master keys that exist during a rotation.
package enum MasterKeyGeneration: Sendable, Hashable {
    case current
    /// The new master key, which exists only while a rotation is pending.
    case next
}

/// A keyring with its decrypted keys. Changes happen in memory only: after each change, write `keyring` with
/// `KeyringFile.write`, or undo the change with `revert(to:)`.
package struct UnlockedKeyring: ~Copyable, Sendable {
    /// The keyring with all changes, authenticated and ready to be written.
    package internal(set) var keyring: Keyring
    var keys: KeyringKeys
    /// The number of the slot whose secret opened the keyring.
    package let openedSlot: Int

    /// Creates the value from a keyring that has been checked with these keys.
    init(keyring: Keyring, keys: consuming KeyringKeys, openedSlot: Int) {
        self.keyring = keyring
        self.keys = keys
        self.openedSlot = openedSlot
    }

    /// Creates the value from new content, which is authenticated here.
    init(content: KeyringContent, keys: consuming KeyringKeys, openedSlot: Int) {
        keyring = content.authenticated(under: keys.authenticity)
        self.keys = keys
        self.openedSlot = openedSlot
    }

    /// True while a rotation is pending, when the keyring has a next master key.
    package var hasNext: Bool {
        keyring.hasPendingRotation
    }

    /// Lends a master key to `body`. Requesting the next key without a pending rotation is a programming error.
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

    /// Returns the database's key under a master key: see `MasterKey.databaseKey`.
    ///
    /// - Throws: `.memoryUnavailable`.
    package borrowing func databaseKey(_ generation: MasterKeyGeneration) throws(CryptoError) -> SecretBytes {
        try withMasterKey(generation) { master throws(CryptoError) in try master.databaseKey() }
    }

    /// Returns the key of the store's mark. It is derived from the authenticity key, which no rotation changes.
    ///
    /// - Throws: `.memoryUnavailable`.
    package borrowing func markKey() throws(CryptoError) -> AuthenticationKey {
        AuthenticationKey(
            bytes: try SubkeyDerivation.subkey(
                1, of: keys.authenticity.bytes, context: .authenticityKey, count: AuthenticityKey.keyBytes))
    }

    /// Returns the key of the journal's segments.
    ///
    /// - Throws: `.memoryUnavailable`.
    package borrowing func journalKey(_ generation: MasterKeyGeneration) throws(CryptoError) -> JournalKey {
        try withMasterKey(generation) { master throws(CryptoError) in JournalKey(bytes: try master.subkey(.journal)) }
    }

    /// Undoes a change of slots that could not be written.
    ///
    /// - Throws: `.keyringDamaged` if `earlier` belongs to another keyring or has other master keys.
    package mutating func revert(to earlier: Keyring) throws(CryptoError) {
        guard earlier.isAuthentic(under: keys.authenticity),
            earlier.content.currentCheck == keyring.content.currentCheck,
            earlier.content.nextCheck == keyring.content.nextCheck
        else { throw .damaged("its keys differ from the keys that it had before its slots were changed") }
        keyring = earlier
    }
}

extension KeyringContent {
    func authenticated(under key: borrowing AuthenticityKey) -> Keyring {
        Keyring(content: self, authenticator: key.authenticator(of: authenticatedBytes()))
    }
}

extension UnlockedKeyring {
    /// Adds a slot that `secret` opens and returns its number, the lowest free one. Checks first that the secret opens
    /// no existing slot, which costs a derivation for each slot of its kind.
    ///
    /// - Throws: `.slotsFull`, `.labelInvalid`, `.slotExists` if the secret already opens a slot, `.memoryUnavailable`.
    ///   The keyring is unchanged then.
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

    /// Removes a slot. A person who knows its secret and has an old copy of the file can still open that copy; rotate
    /// the master key if this matters.
    ///
    /// - Throws: `.slotNotFound`; `.lastPersonSlot` for the last slot that a person can use, and for the last slot.
    package mutating func removeSlot(_ number: Int) throws(CryptoError) {
        var content = keyring.content
        let slot = try content.slot(number)
        content.slots.removeAll { $0.head.number == slot.head.number }
        guard !content.slots.isEmpty else {
            throw CryptoError(.lastPersonSlot, "slot \(number) is the last slot; first add another slot")
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

    /// Replaces the secret `old` of a slot with `new`, and returns the number of the slot. The slot keeps its number,
    /// its label and the time of its creation. The slot gets a new key pair, so that an old copy of the file does not
    /// open later master keys.
    ///
    /// - Throws: `.wrongKey` if `old` opens no slot; `.secretInvalid` if `new` is of another kind; `.slotExists` if
    ///   `new` already opens another slot; `.memoryUnavailable`. The keyring is unchanged then.
    package mutating func rewrapSlot(
        opening old: borrowing SlotSecret, new: borrowing SlotSecret, cost: KeyDerivationCost = .moderate
    ) throws(CryptoError) -> Int {
        guard old.kind == new.kind else {
            throw CryptoError(
                .secretInvalid,
                """
                the new secret is not of the slot's kind; add a slot for the new secret instead
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

    /// Checks that a secret opens no slot. If two slots had the same secret, removing or changing one of them would not
    /// revoke the secret.
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
    /// Generates the next master key and seals it for every slot, which does not require the slots' secrets.
    ///
    /// To survive a crash at any step, use this order: begin, write the keyring, rekey the database, finish, write the
    /// keyring. Between the two writes, the keyring file contains both keys, and the database opens with one of them.
    ///
    /// - Throws: `.rotationPending`, `.memoryUnavailable`, `.keyringDamaged`. The keyring is unchanged then.
    package mutating func beginRotation() throws(CryptoError) {
        guard !hasNext else {
            throw CryptoError(
                .rotationPending,
                "a rotation of the master key is unfinished; lock and unlock the store, then try again")
        }
        var content = keyring.content
        guard content.generation < KeyringFormat.generationMax else {
            throw .damaged("the generation number is already the highest possible")
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

    /// Makes the next master key the current one and wipes the old one. Calling it without a pending rotation is a
    /// programming error.
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

    /// Discards the next master key. Calling it without a pending rotation is a programming error.
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
