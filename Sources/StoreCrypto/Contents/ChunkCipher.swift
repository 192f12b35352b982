import CSodium

/// The cipher that seals the chunks of a content. The raw values are stored with each content.
package enum ChunkCipher: UInt8, CaseIterable, Hashable, Sendable {
    /// AES-256-GCM, only on processors with instructions for it:
    /// https://doc.libsodium.org/secret-key_cryptography/aead/aes-256-gcm
    case aes256GCM = 1
    /// https://doc.libsodium.org/secret-key_cryptography/aead/chacha20-poly1305/xchacha20-poly1305_construction
    case xchacha20Poly1305 = 2

    /// Returns the fastest cipher that this machine supports.
    ///
    /// - Throws: `.sodiumUnavailable`.
    package static func fastest() throws(CryptoError) -> ChunkCipher {
        // libsodium detects the processor's instructions when it starts.
        try SodiumRuntime.start()
        return ChunkCipher.aes256GCM.isAvailable ? .aes256GCM : .xchacha20Poly1305
    }

    /// True if this machine supports the cipher. libsodium must have been started.
    package var isAvailable: Bool {
        switch self {
        case .aes256GCM: crypto_aead_aes256gcm_is_available() == 1
        case .xchacha20Poly1305: true
        }
    }

    var nonceBytes: Int {
        switch self {
        case .aes256GCM: Int(crypto_aead_aes256gcm_NPUBBYTES)
        case .xchacha20Poly1305: Int(crypto_aead_xchacha20poly1305_ietf_NPUBBYTES)
        }
    }

    /// The number of bytes by which a sealed chunk is larger than its plaintext.
    package var overheadBytes: Int { nonceBytes + Self.authenticatorBytes }

    /// The size of the authenticator, equal for both ciphers.
    static let authenticatorBytes = 16

    /// The number of chunks that one key may seal with random nonces, so that two nonces are equal with a probability
    /// below 2^-32 (NIST SP 800-38D, 8.3). The limit for the shorter nonce is used for both ciphers.
    package static let chunksPerKeyMax: UInt64 = 1 << 32
}
