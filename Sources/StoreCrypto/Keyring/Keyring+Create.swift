import CSodium

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
