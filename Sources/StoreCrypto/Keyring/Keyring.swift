import CSodium

/// A keyring file, parsed. Immutable, and holds no secret in the clear: safe to copy, compare and keep.
///
/// Parsing finds accidents (the checksum); only `unlock(with:)` finds forgeries (the authenticator).
package struct Keyring: Sendable, Hashable {
    let content: KeyringContent
    let authenticator: [UInt8]

    init(content: KeyringContent, authenticator: [UInt8]) {
        precondition(authenticator.count == KeyringFormat.authenticatorBytes)
        self.content = content
        self.authenticator = authenticator
    }

    /// Strict: `parse(bytes).serialized() == bytes`, whatever is accepted.
    ///
    /// - Throws: `.keyringDamaged`, `.keyringVersionUnknown`.
    package static func parse(_ bytes: [UInt8]) throws(CryptoError) -> Keyring {
        let (content, authenticator) = try KeyringParser.parse(bytes)
        return Keyring(content: content, authenticator: authenticator)
    }

    /// The file: at most 64 KiB.
    package func serialized() -> [UInt8] {
        let bytes = content.authenticatedBytes() + authenticator
        return bytes + Blake2b.digest(of: bytes)
    }

    /// By ascending number; 1 to 16 of them.
    package var slots: [KeySlotInfo] {
        content.slots.map(\.head.info)
    }

    /// How many rotations of the master key have been finished.
    package var generation: UInt64 {
        content.generation
    }

    /// Whether a rotation has begun and been neither finished nor cancelled: two master keys are sealed.
    package var hasPendingRotation: Bool {
        content.nextCheck != nil
    }
}

extension Keyring {
    /// A new keyring with a new master key and one slot that `secret` opens. Nothing is written.
    ///
    /// - Parameters:
    ///   - label: at most 64 bytes, no control characters.
    ///   - cost: of a passphrase's derivation; the other kinds need none.
    ///   - nowMicroseconds: since 1970-01-01 UTC.
    /// - Throws: `.labelInvalid`, `.memoryUnavailable`, `.sodiumUnavailable`.
    package static func create(
        secret: borrowing SlotSecret, label: String, cost: KeyDerivationCost = .moderate, nowMicroseconds: Int64
    ) throws(CryptoError) -> UnlockedKeyring {
        try SodiumRuntime.start()
        var identifier = [UInt8](repeating: 0, count: KeyringFormat.identifierBytes)
        randombytes_buf(&identifier, identifier.count)
        let keys = try KeyringKeys.generate()
        let slot = try Slot.make(
            Slot.Description(
                number: KeyringFormat.slotNumbers.lowerBound, label: try SlotLabel(label),
                createdAtMicroseconds: nowMicroseconds, cost: cost),
            secret: secret, keys: keys, keyringIdentifier: identifier)
        let content = KeyringContent(
            identifier: identifier, generation: 0, currentCheck: try keys.current.keyCheck(), nextCheck: nil,
            slots: [slot])
        return UnlockedKeyring(content: content, keys: keys, openedSlot: Int(slot.head.number))
    }
}

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
        throw CryptoError(
            .wrongKey,
            """
            the secret is wrong: it opens no slot of this keyring; check its kind and spelling
            """)
    }

    /// In this order: the authenticator over the file, then the sealed master keys, then their key checks.
    private func unlock(_ slot: Slot, _ opened: consuming SlotWrap.Opened) throws(CryptoError) -> UnlockedKeyring {
        guard isAuthentic(under: opened.authenticityKey) else { throw .damaged("the authentication failed") }
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
            throw .damaged("a master key does not match its key check")
        }
    }
}
