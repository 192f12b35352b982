import CSodium

/// A parsed keyring file. It is immutable and contains no unencrypted secret, so that it may be copied, compared and
/// stored.
///
/// Parsing detects accidental changes by the checksum. Only `unlock(with:)` detects forgeries, by the authenticator.
package struct Keyring: Sendable, Hashable {
    let content: KeyringContent
    let authenticator: [UInt8]

    init(content: KeyringContent, authenticator: [UInt8]) {
        precondition(authenticator.count == KeyringFormat.authenticatorBytes)
        self.content = content
        self.authenticator = authenticator
    }

    /// Parses a keyring strictly: `parse(bytes).serialized() == bytes` for all accepted bytes.
    ///
    /// - Throws: `.keyringDamaged`, `.keyringVersionUnknown`.
    package static func parse(_ bytes: [UInt8]) throws(CryptoError) -> Keyring {
        let (content, authenticator) = try KeyringParser.parse(bytes)
        return Keyring(content: content, authenticator: authenticator)
    }

    /// Returns the content of the file, at most 64 KiB.
    package func serialized() -> [UInt8] {
        let bytes = content.authenticatedBytes() + authenticator
        return bytes + Blake2b.digest(of: bytes)
    }

    /// The 1 to 16 slots in ascending order of their numbers.
    package var slots: [KeySlotInfo] {
        content.slots.map(\.head.info)
    }

    /// The number of finished rotations of the master key.
    package var generation: UInt64 {
        content.generation
    }

    /// True if a rotation was begun and was neither finished nor canceled. The keyring then contains two master keys.
    package var hasPendingRotation: Bool {
        content.nextCheck != nil
    }
}

extension Keyring {
    /// Creates a keyring with a new master key and one slot that `secret` opens. Does not write a file.
    ///
    /// - Parameters:
    ///   - label: at most 64 bytes without control characters.
    ///   - cost: the cost of a passphrase's derivation; not used for other secrets.
    ///   - nowMicroseconds: the time since 1970-01-01 UTC.
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
    /// Opens the first slot that `secret` belongs to, and checks the whole keyring. Only slots of the secret's kind are
    /// tried.
    ///
    /// Each passphrase slot costs one derivation (0.65 s at the default cost). Derivations run one at a time in the
    /// whole process, so call this only from a thread that may block.
    ///
    /// - Throws: `.wrongKey` if the secret opens no slot; `.keyringDamaged` if it opens a slot but the keyring was
    ///   changed; `.memoryUnavailable`.
    package func unlock(with secret: borrowing SlotSecret) throws(CryptoError) -> UnlockedKeyring {
        try SodiumRuntime.start()
        for slot in content.slots {
            guard let opened = try slot.open(with: secret, keyringIdentifier: content.identifier) else { continue }
            return try unlock(slot, opened)
        }
        throw CryptoError(
            .wrongKey,
            """
            the secret is wrong: it opens no slot of this keyring; check the kind and the spelling of the secret
            """)
    }

    /// Checks the authenticator over the file first, then decrypts the master keys, then compares their key checks.
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
