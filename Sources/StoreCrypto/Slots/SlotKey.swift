import CSodium

/// The 32-byte key that is derived from a slot's secret. It exists only while a slot is created or opened.
struct SlotKey: ~Copyable {
    static let keyBytes = 32
    static let commitmentBytes = Blake2b.digestBytes

    private enum Subkey: UInt64 {
        case wrapping = 1
        case commitment = 2
    }

    private let bytes: SecretBytes

    init(bytes: consuming SecretBytes) {
        precondition(bytes.count == Self.keyBytes, "a slot key must have \(Self.keyBytes) bytes")
        self.bytes = bytes
    }

    /// - Throws: `.memoryUnavailable`.
    static func derive(
        from secret: borrowing SlotSecret, derivation: SlotDerivation, salt: [UInt8]
    ) throws(CryptoError) -> SlotKey {
        precondition(secret.kind == derivation.kind, "a secret can open only slots of its kind")
        switch derivation {
        case .argon2id(let cost):
            return SlotKey(bytes: try PassphraseDerivation.key(from: secret.bytes, salt: salt, cost: cost))
        case .blake2b(let kind):
            return SlotKey(
                bytes: try Blake2b.key(from: secret.bytes, salt: salt, personalization: kind.personalization))
        }
    }

    /// Returns a commitment to this key. XChaCha20-Poly1305 does not commit to its key: a ciphertext can be constructed
    /// that opens under two keys. Therefore the commitment is compared before anything is decrypted (Len, Grubbs and
    /// Ristenpart, "Partitioning Oracle Attacks", 2021).
    borrowing func commitment(salt: [UInt8]) throws(CryptoError) -> [UInt8] {
        let subkey = try self.subkey(.commitment)
        return Blake2b.authenticator(of: Array("ghoststore slot commitment".utf8) + salt, key: subkey)
    }

    borrowing func wrappingKey() throws(CryptoError) -> SecretBytes {
        try subkey(.wrapping)
    }

    private borrowing func subkey(_ subkey: Subkey) throws(CryptoError) -> SecretBytes {
        try SubkeyDerivation.subkey(subkey.rawValue, of: bytes, context: .slotKey, count: Self.keyBytes)
    }
}

/// The X25519 key pair of a slot. Master keys are sealed to the public half without any secret, and opened with the
/// secret half, which the slot's secret protects.
///
/// https://doc.libsodium.org/public-key_cryptography/sealed_boxes
struct SlotKeyPair: ~Copyable {
    static let secretKeyBytes = 32
    static let sealedKeyBytes = MasterKey.keyBytes + 48

    let publicKey: [UInt8]
    let secretKey: SecretBytes

    static func generate() throws(CryptoError) -> SlotKeyPair {
        try SlotKeyPair(secretKey: SecretBytes.random(count: secretKeyBytes))
    }

    /// Recreates the pair from its secret half.
    init(secretKey: consuming SecretBytes) throws(CryptoError) {
        precondition(secretKey.count == Self.secretKeyBytes, "an X25519 key must have 32 bytes")
        var publicKey = [UInt8](repeating: 0, count: SlotHead.publicKeyBytes)
        let status = secretKey.withBytes { crypto_scalarmult_base(&publicKey, $0) }
        precondition(status == 0, "any 32 bytes are a valid X25519 secret key")
        self.publicKey = publicKey
        self.secretKey = secretKey
    }

    /// Seals a master key to a public key.
    ///
    /// - Throws: `.keyringDamaged` if the public key is a point of low order, which no key pair has.
    static func seal(_ masterKey: borrowing MasterKey, to publicKey: [UInt8]) throws(CryptoError) -> [UInt8] {
        precondition(publicKey.count == SlotHead.publicKeyBytes, "an X25519 key must have 32 bytes")
        var sealed = [UInt8](repeating: 0, count: sealedKeyBytes)
        let status = masterKey.bytes.withBytes { input in
            crypto_box_seal(&sealed, input, UInt64(MasterKey.keyBytes), publicKey)
        }
        guard status == 0 else { throw .damaged("a slot's public key is not valid") }
        return sealed
    }

    /// - Throws: `.keyringDamaged` if `sealed` was not sealed to this pair.
    borrowing func open(_ sealed: [UInt8]) throws(CryptoError) -> MasterKey {
        precondition(sealed.count == Self.sealedKeyBytes, "a sealed key must have 80 bytes")
        var opened = try SecretBytes(count: MasterKey.keyBytes)
        let status = opened.withMutableBytes { output in
            secretKey.withBytes { secretKey in
                crypto_box_seal_open(output, sealed, UInt64(sealed.count), publicKey, secretKey)
            }
        }
        guard status == 0 else { throw .damaged("a sealed master key cannot be opened") }
        return MasterKey(bytes: opened)
    }
}
