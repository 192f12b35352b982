extension Keyring {
    /// Opens the first slot of the secret's kind whose commitment the secret meets, and checks everything.
    ///
    /// Each passphrase slot costs one derivation (0.65 s at the default cost); derivations run one at a time in the
    /// whole process, so call this from a thread that may block.
    ///
    /// - Throws: `.wrongKey` when the secret is no slot's; `.keyringDamaged` when it is a slot's, but the keyring is
    ///   not what someone with a slot secret wrote; `.memoryUnavailable`.
    package func unlock(with secret: borrowing SlotSecret) throws(CryptoError) -> UnlockedKeyring {
        try SodiumRuntime.start()
        for slot in content.slots {
            guard let opened = try slot.open(with: secret, keyringIdentifier: content.identifier) else { continue }
            return try unlock(slot, opened)
        }
        throw CryptoError(.wrongKey, "wrong key: it opens no slot of this keyring; check its kind and spelling")
    }

    /// In this order: the authenticator over the file, then the sealed master keys, then their key checks.
    private func unlock(_ slot: Slot, _ opened: consuming SlotWrap.Opened) throws(CryptoError) -> UnlockedKeyring {
        guard isAuthentic(under: opened.authenticityKey) else { throw .damaged("it does not authenticate") }
        let current = try opened.keyPair.open(slot.sealedCurrent)
        try Self.check(current, against: content.currentCheck)
        var next: MasterKey?
        if let sealedNext = slot.sealedNext, let nextCheck = content.nextCheck {
            let key = try opened.keyPair.open(sealedNext)
            try Self.check(key, against: nextCheck)
            next = consume key
        }
        let keys = KeyringKeys(authenticity: opened.authenticityKey, current: current, next: next)
        return UnlockedKeyring(keyring: self, keys: keys, openedSlot: Int(slot.head.number))
    }

    func isAuthentic(under key: borrowing AuthenticityKey) -> Bool {
        ConstantTime.areEqual(key.authenticator(of: content.authenticatedBytes()), authenticator)
    }

    private static func check(_ key: borrowing MasterKey, against check: [UInt8]) throws(CryptoError) {
        guard ConstantTime.areEqual(try key.keyCheck(), check) else {
            throw .damaged("a master key does not meet its key check")
        }
    }
}
