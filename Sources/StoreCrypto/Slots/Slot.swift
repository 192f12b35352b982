import CSodium

/// A key slot in its stored form: the master key, encrypted so that one secret opens it.
struct Slot: Hashable, Sendable {
    let head: SlotHead
    let commitment: [UInt8]
    let wrap: SlotWrap
    /// The master key, sealed to the head's public key.
    var sealedCurrent: [UInt8]
    /// The next master key. Every slot has one during a rotation, and no slot has one otherwise.
    var sealedNext: [UInt8]?
}

extension Slot {
    /// The properties of a slot that the caller chooses.
    struct Description {
        let number: UInt8
        let label: SlotLabel
        let createdAtMicroseconds: Int64
        let cost: KeyDerivationCost
    }

    /// Creates a slot that `secret` opens, with a new key pair to which the master keys are sealed.
    static func make(
        _ description: Description, secret: borrowing SlotSecret, keys: borrowing KeyringKeys,
        keyringIdentifier: [UInt8]
    ) throws(CryptoError) -> Slot {
        let keyPair = try SlotKeyPair.generate()
        let head = SlotHead(
            number: description.number, createdAtMicroseconds: description.createdAtMicroseconds,
            derivation: SlotDerivation(kind: secret.kind, cost: description.cost),
            salt: try SlotHead.randomSalt(), publicKey: keyPair.publicKey, label: description.label)
        let key = try SlotKey.derive(from: secret, derivation: head.derivation, salt: head.salt)
        var slot = Slot(
            head: head, commitment: try key.commitment(salt: head.salt),
            wrap: try SlotWrap.seal(
                keyPair, keys.authenticity, under: try key.wrappingKey(),
                binding: KeyringFormat.associatedData(head, keyringIdentifier: keyringIdentifier)),
            sealedCurrent: try SlotKeyPair.seal(keys.current, to: keyPair.publicKey), sealedNext: nil)
        switch keys.next {
        case .some(let next): slot.sealedNext = try SlotKeyPair.seal(next, to: keyPair.publicKey)
        case .none: break
        }
        return slot
    }

    /// Returns the keys that the slot wraps, or `nil` if `secret` does not belong to this slot.
    ///
    /// - Throws: `.keyringDamaged` if the secret is right but the slot was changed.
    borrowing func open(
        with secret: borrowing SlotSecret, keyringIdentifier: [UInt8]
    ) throws(CryptoError) -> SlotWrap.Opened? {
        guard secret.kind == head.derivation.kind else { return nil }
        let key = try SlotKey.derive(from: secret, derivation: head.derivation, salt: head.salt)
        guard ConstantTime.areEqual(try key.commitment(salt: head.salt), commitment) else { return nil }
        let opened = try wrap.open(
            under: try key.wrappingKey(),
            binding: KeyringFormat.associatedData(head, keyringIdentifier: keyringIdentifier))
        guard ConstantTime.areEqual(opened.keyPair.publicKey, head.publicKey) else {
            throw .damaged("a slot's public key does not match its secret key")
        }
        return opened
    }
}

/// The unencrypted part of a slot. The encrypted part (`SlotWrap`) authenticates it as associated data.
struct SlotHead: Hashable, Sendable {
    /// The slot's number, 1 to 16.
    let number: UInt8
    let createdAtMicroseconds: Int64
    let derivation: SlotDerivation
    /// 16 random bytes, new with every secret.
    let salt: [UInt8]
    /// An X25519 key. Master keys are sealed to it, which does not require the slot's secret.
    let publicKey: [UInt8]
    let label: SlotLabel

    static let saltBytes = 16
    static let publicKeyBytes = 32

    static func randomSalt() throws(CryptoError) -> [UInt8] {
        try SodiumRuntime.start()
        var salt = [UInt8](repeating: 0, count: saltBytes)
        randombytes_buf(&salt, saltBytes)
        return salt
    }

    var info: KeySlotInfo {
        KeySlotInfo(
            number: Int(number), kind: derivation.kind, label: label.text,
            createdAtMicroseconds: createdAtMicroseconds, cost: derivation.cost)
    }
}

/// A person's name for a slot: at most 64 bytes of UTF-8 without control characters.
struct SlotLabel: Hashable, Sendable {
    static let bytesMax = 64

    let text: String

    /// - Throws: `.labelInvalid`.
    init(_ text: String) throws(CryptoError) {
        guard text.utf8.count <= Self.bytesMax else {
            throw CryptoError(
                .labelInvalid,
                """
                the label has \(text.utf8.count) bytes; it can have at most \(Self.bytesMax)
                """)
        }
        guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw CryptoError(.labelInvalid, "the label has control characters; use one line of plain text")
        }
        self.text = text
    }
}

/// The public properties of a slot. Nothing in it helps to open the slot.
package struct KeySlotInfo: Sendable, Hashable {
    /// The slot's number, 1 to 16.
    package let number: Int
    package let kind: SlotKind
    /// At most 64 bytes, chosen by a person.
    package let label: String
    /// Microseconds since 1970-01-01 UTC.
    package let createdAtMicroseconds: Int64
    /// The cost of the passphrase's derivation; `nil` for other secrets.
    package let cost: KeyDerivationCost?
}
