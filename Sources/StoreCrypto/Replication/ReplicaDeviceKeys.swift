import CSodium

/// The two key pairs of a device in its group: an Ed25519 pair (RFC 8032), which signs the device's messages, and an
/// X25519 pair (RFC 7748), for which the keys of epochs are sealed.
///
/// https://doc.libsodium.org/public-key_cryptography/public-key_signatures,
/// https://doc.libsodium.org/public-key_cryptography/sealed_boxes
package struct ReplicaDeviceKeys: ~Copyable, Sendable {
    package static let byteCount = seedBytes + receivingSecretBytes
    package static let receivingKeyBytes = 32
    private static let seedBytes = 32
    private static let receivingSecretBytes = 32
    /// The size of an Ed25519 secret key in libsodium's form: the seed and the public key.
    private static let signingPairBytes = 64

    /// The stored form, 64 bytes: the seed of the signing pair, and the secret half of the receiving pair.
    package let bytes: SecretBytes
    /// The public half of the signing pair: Ed25519, 32 bytes.
    package let signingKey: [UInt8]
    /// The public half of the receiving pair: X25519, 32 bytes.
    package let receivingKey: [UInt8]
    private let signingPair: SecretBytes

    /// The number of the device in its group.
    package var number: UInt64 { Self.number(ofSigningKey: signingKey) }

    /// Returns the device's number: the first 8 bytes of the BLAKE2b hash of its signing key. Therefore another device
    /// cannot claim the same number with other keys.
    package static func number(ofSigningKey key: [UInt8]) -> UInt64 {
        Blake2b.digest(of: key).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// - Throws: `.memoryUnavailable`, `.sodiumUnavailable`.
    package static func generate() throws(CryptoError) -> ReplicaDeviceKeys {
        try ReplicaDeviceKeys(bytes: SecretBytes.random(count: byteCount))
    }

    /// Recreates the pairs from their stored form.
    ///
    /// - Throws: `.replicaKeyInvalid` unless there are 64 bytes; `.memoryUnavailable`.
    package init(bytes: consuming SecretBytes) throws(CryptoError) {
        guard bytes.count == Self.byteCount else {
            throw CryptoError(
                .replicaKeyInvalid, "the keys of a device have \(bytes.count) bytes; they must have \(Self.byteCount)")
        }
        var signingPair = try SecretBytes(count: Self.signingPairBytes)
        var signingKey = [UInt8](repeating: 0, count: SignatureDomain.signingKeyBytes)
        var receivingKey = [UInt8](repeating: 0, count: Self.receivingKeyBytes)
        let isMade = signingPair.withMutableBytes { pair in
            bytes.withBytes { secret in
                crypto_sign_seed_keypair(&signingKey, pair, secret) == 0
                    && crypto_scalarmult_base(&receivingKey, secret + Self.seedBytes) == 0
            }
        }
        precondition(isMade, "any 32 bytes are a valid seed and a valid X25519 secret key")
        self.bytes = bytes
        self.signingKey = signingKey
        self.receivingKey = receivingKey
        self.signingPair = signingPair
    }

    /// Signs a message. The signature is deterministic.
    ///
    /// - Returns: 64 bytes.
    package borrowing func sign(_ message: [UInt8], as domain: SignatureDomain) -> [UInt8] {
        let signed = domain.signedBytes(of: message)
        var signature = [UInt8](repeating: 0, count: SignatureDomain.signatureBytes)
        let status = signingPair.withBytes { pair in
            crypto_sign_detached(&signature, nil, signed, UInt64(signed.count), pair)
        }
        precondition(status == 0, "Ed25519 failed to sign")
        return signature
    }

    /// Opens a sealed box of libsodium that was sealed for this device.
    ///
    /// - Returns: `nil` if it was sealed for another device or changed.
    borrowing func openBox(_ box: [UInt8], contentBytes: Int) throws(CryptoError) -> SecretBytes? {
        guard box.count == contentBytes + crypto_box_sealbytes() else { return nil }
        var content = try SecretBytes(count: contentBytes)
        let status = content.withMutableBytes { output in
            bytes.withBytes { secret in
                crypto_box_seal_open(output, box, UInt64(box.count), receivingKey, secret + Self.seedBytes)
            }
        }
        guard status == 0 else { return nil }
        return content
    }
}
