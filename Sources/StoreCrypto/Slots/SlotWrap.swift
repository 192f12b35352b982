import CSodium

/// The encrypted part of a slot: the slot's X25519 secret key and the keyring's authenticity key, under
/// XChaCha20-Poly1305 with the slot's head as associated data.
///
/// https://doc.libsodium.org/secret-key_cryptography/aead/chacha20-poly1305/xchacha20-poly1305_construction
struct SlotWrap: Hashable, Sendable {
    static let nonceBytes = 24
    static let plaintextBytes = SlotKeyPair.secretKeyBytes + AuthenticityKey.keyBytes
    static let ciphertextBytes = plaintextBytes + 16

    /// A random nonce. With 24 bytes, random nonces practically never repeat.
    let nonce: [UInt8]
    let ciphertext: [UInt8]

    init(nonce: [UInt8], ciphertext: [UInt8]) {
        precondition(nonce.count == Self.nonceBytes && ciphertext.count == Self.ciphertextBytes)
        self.nonce = nonce
        self.ciphertext = ciphertext
    }

    static func seal(
        _ keyPair: borrowing SlotKeyPair, _ authenticityKey: borrowing AuthenticityKey,
        under wrappingKey: borrowing SecretBytes, binding associatedData: [UInt8]
    ) throws(CryptoError) -> SlotWrap {
        let plaintext = try joined(keyPair.secretKey, authenticityKey.bytes)
        var nonce = [UInt8](repeating: 0, count: nonceBytes)
        randombytes_buf(&nonce, nonceBytes)
        var ciphertext = [UInt8](repeating: 0, count: ciphertextBytes)
        let status = plaintext.withBytes { input in
            wrappingKey.withBytes { key in
                crypto_aead_xchacha20poly1305_ietf_encrypt(
                    &ciphertext, nil, input, UInt64(plaintextBytes), associatedData, UInt64(associatedData.count),
                    nil, nonce, key)
            }
        }
        precondition(status == 0, "XChaCha20-Poly1305 failed to encrypt")
        return SlotWrap(nonce: nonce, ciphertext: ciphertext)
    }

    /// - Throws: `.keyringDamaged` if the wrap or the slot's head was changed.
    borrowing func open(
        under wrappingKey: borrowing SecretBytes, binding associatedData: [UInt8]
    ) throws(CryptoError) -> Opened {
        var plaintext = try SecretBytes(count: Self.plaintextBytes)
        let status = plaintext.withMutableBytes { output in
            wrappingKey.withBytes { key in
                crypto_aead_xchacha20poly1305_ietf_decrypt(
                    output, nil, nil, ciphertext, UInt64(ciphertext.count), associatedData,
                    UInt64(associatedData.count), nonce, key)
            }
        }
        guard status == 0 else { throw .damaged("a slot's authentication failed") }
        let secretKey = try Self.copy(of: plaintext, 0..<SlotKeyPair.secretKeyBytes)
        let authenticityKey = try Self.copy(of: plaintext, SlotKeyPair.secretKeyBytes..<Self.plaintextBytes)
        return Opened(
            keyPair: try SlotKeyPair(secretKey: secretKey), authenticityKey: AuthenticityKey(bytes: authenticityKey))
    }

    struct Opened: ~Copyable {
        let keyPair: SlotKeyPair
        let authenticityKey: AuthenticityKey
    }

    private static func joined(
        _ first: borrowing SecretBytes, _ second: borrowing SecretBytes
    ) throws(CryptoError) -> SecretBytes {
        let firstBytes = first.count
        var whole = try SecretBytes(count: firstBytes + second.count)
        whole.withUnsafeMutableBytes { output in
            first.withUnsafeBytes { output.copyMemory(from: $0) }
            second.withUnsafeBytes {
                UnsafeMutableRawBufferPointer(rebasing: output[firstBytes...]).copyMemory(from: $0)
            }
        }
        return whole
    }

    private static func copy(
        of secret: borrowing SecretBytes, _ range: Range<Int>
    ) throws(CryptoError) -> SecretBytes {
        try secret.withUnsafeBytes { (bytes) throws(CryptoError) in
            try SecretBytes(copying: UnsafeRawBufferPointer(rebasing: bytes[range]))
        }
    }
}
