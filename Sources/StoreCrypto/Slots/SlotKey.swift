/// The 32-byte key that a slot's secret becomes. Lives only while a slot is made or opened.
struct SlotKey: ~Copyable {
    static let keyBytes = 32
    static let commitmentBytes = Blake2b.digestBytes

    private enum Subkey: UInt64 {
        case wrapping = 1
        case commitment = 2
    }

    private let bytes: SecretBytes

    init(bytes: consuming SecretBytes) {
        precondition(bytes.count == Self.keyBytes, "a slot key has \(Self.keyBytes) bytes")
        self.bytes = bytes
    }

    /// - Throws: `.memoryUnavailable`.
    static func derive(
        from secret: borrowing SlotSecret, derivation: SlotDerivation, salt: [UInt8]
    ) throws(CryptoError) -> SlotKey {
        precondition(secret.kind == derivation.kind, "a secret opens only slots of its own kind")
        switch derivation {
        case .argon2id(let cost):
            return SlotKey(bytes: try PassphraseDerivation.key(from: secret.bytes, salt: salt, cost: cost))
        case .blake2b(let kind):
            return SlotKey(
                bytes: try Blake2b.key(from: secret.bytes, salt: salt, personalization: kind.personalization))
        }
    }

    /// Tells this key from every other. XChaCha20-Poly1305 does not commit to its key: a ciphertext can be made that
    /// opens under two, so the commitment is compared before anything is opened (Len, Grubbs and Ristenpart,
    /// "Partitioning Oracle Attacks", 2021).
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
