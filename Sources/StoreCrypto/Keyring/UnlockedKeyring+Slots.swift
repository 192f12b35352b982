extension UnlockedKeyring {
    /// Adds a slot that `secret` opens and answers its number: the lowest that is free.
    ///
    /// - Throws: `.slotsFull`, `.labelInvalid`, `.memoryUnavailable`; then nothing has changed.
    package mutating func addSlot(
        secret: borrowing SlotSecret, label: String, cost: KeyDerivationCost = .moderate, nowMicroseconds: Int64
    ) throws(CryptoError) -> Int {
        let description = Slot.Description(
            number: try keyring.content.freeSlotNumber(), label: try SlotLabel(label),
            createdAtMicroseconds: nowMicroseconds, cost: cost)
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
            throw CryptoError(.lastPersonSlot, "slot \(number) is the last one; add another before removing it")
        }
        if slot.head.derivation.kind.isForPerson {
            guard content.slots.contains(where: { $0.head.derivation.kind.isForPerson }) else {
                throw CryptoError(
                    .lastPersonSlot,
                    "slot \(number) is the last one a person can use; add a passphrase or recovery code first")
            }
        }
        keyring = content.authenticated(under: keys.authenticity)
    }

    /// Makes the slot that `old` opens open with `new` instead, and answers its number. The slot keeps its number,
    /// label and time, and gets a new key pair, so that an old copy of the file does not open later master keys.
    ///
    /// - Throws: `.wrongKey` when `old` opens no slot; `.secretInvalid` when `new` is of another kind;
    ///   `.memoryUnavailable`. Then nothing has changed.
    package mutating func rewrapSlot(
        opening old: borrowing SlotSecret, new: borrowing SlotSecret, cost: KeyDerivationCost = .moderate
    ) throws(CryptoError) -> Int {
        guard old.kind == new.kind else {
            throw CryptoError(.secretInvalid, "new secret is of another kind; add a slot for it instead")
        }
        let number = try keyring.unlock(with: old).openedSlot
        let head = try keyring.content.slot(number).head
        let description = Slot.Description(
            number: head.number, label: head.label, createdAtMicroseconds: head.createdAtMicroseconds, cost: cost)
        try place(description, secret: new)
        return number
    }

    private mutating func place(_ description: Slot.Description, secret: borrowing SlotSecret) throws(CryptoError) {
        var content = keyring.content
        content.place(
            try Slot.make(description, secret: secret, keys: keys, keyringIdentifier: content.identifier))
        keyring = content.authenticated(under: keys.authenticity)
    }
}
