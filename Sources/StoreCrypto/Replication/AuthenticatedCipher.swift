import CSodium

/// XChaCha20-Poly1305 in its IETF form, for whole messages.
///
/// https://doc.libsodium.org/secret-key_cryptography/aead/chacha20-poly1305/xchacha20-poly1305_construction
enum AuthenticatedCipher {
    static let keyBytes = 32
    static let nonceBytes = 24
    static let tagBytes = 16

    /// Returns the ciphertext, which is as long as the plaintext, and the tag.
    ///
    /// - Parameter nonce: 24 bytes that were never used with another plaintext under this key.
    static func seal(
        _ plaintext: UnsafeRawBufferPointer, binding associatedData: [UInt8], nonce: [UInt8],
        under key: borrowing SecretBytes
    ) -> [UInt8] {
        precondition(
            nonce.count == nonceBytes && key.count == keyBytes,
            "a nonce of XChaCha20 must have 24 bytes, and a key 32 bytes")
        var sealed = [UInt8](repeating: 0, count: plaintext.count + tagBytes)
        let status = key.withBytes { key in
            crypto_aead_xchacha20poly1305_ietf_encrypt(
                &sealed, nil, plaintext.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt64(plaintext.count),
                associatedData, UInt64(associatedData.count), nil, nonce, key)
        }
        precondition(status == 0, "XChaCha20-Poly1305 failed to encrypt")
        return sealed
    }

    /// Decrypts into `output`.
    ///
    /// - Parameter output: memory 16 bytes shorter than `sealed`.
    /// - Returns: false if the bytes cannot be authenticated; the output is then zeros or unchanged.
    static func open(
        _ sealed: [UInt8], binding associatedData: [UInt8], nonce: [UInt8], under key: borrowing SecretBytes,
        into output: UnsafeMutableRawBufferPointer
    ) -> Bool {
        precondition(key.count == keyBytes, "a key of XChaCha20 must have 32 bytes")
        guard nonce.count == nonceBytes, sealed.count == output.count + tagBytes else { return false }
        return key.withBytes { key in
            crypto_aead_xchacha20poly1305_ietf_decrypt(
                output.baseAddress?.assumingMemoryBound(to: UInt8.self), nil, nil, sealed, UInt64(sealed.count),
                associatedData, UInt64(associatedData.count), nonce, key) == 0
        }
    }
}
