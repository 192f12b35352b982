import CSodium

/// How the chunks of a content are sealed. The raw values are kept at rest, with each content.
package enum ChunkCipher: UInt8, CaseIterable, Hashable, Sendable {
    /// https://doc.libsodium.org/secret-key_cryptography/aead/aes-256-gcm: only where the processor has it.
    case aes256GCM = 1
    /// https://doc.libsodium.org/secret-key_cryptography/aead/chacha20-poly1305/xchacha20-poly1305_construction
    case xchacha20Poly1305 = 2

    /// The fastest that this machine has.
    ///
    /// - Throws: `.sodiumUnavailable`.
    package static func fastest() throws(CryptoError) -> ChunkCipher {
        // libsodium looks at the processor when it starts.
        try SodiumRuntime.start()
        return ChunkCipher.aes256GCM.isAvailable ? .aes256GCM : .xchacha20Poly1305
    }

    /// Whether this machine can do it, once libsodium has started.
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

    /// What a sealed chunk has more than its plaintext.
    package var overheadBytes: Int { nonceBytes + Self.authenticatorBytes }

    /// The same for both.
    static let authenticatorBytes = 16

    /// How often one key may seal with nonces at random: two of them are the same with a chance of less than 2^-32
    /// (NIST SP 800-38D, 8.3). The shorter nonce's bound serves for both.
    package static let chunksPerKeyMax: UInt64 = 1 << 32
}
