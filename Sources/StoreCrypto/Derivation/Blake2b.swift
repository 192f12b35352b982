import CSodium

/// BLAKE2b (RFC 7693) in the forms this library uses.
///
/// https://doc.libsodium.org/hashing/generic_hashing
enum Blake2b {
    static let digestBytes = 32
    static let saltBytes = 16
    static let personalizationBytes = 16

    /// A plain digest: finds accidents, stops nobody.
    static func digest(of message: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: digestBytes)
        let status = crypto_generichash(&digest, digestBytes, message, UInt64(message.count), nil, 0)
        precondition(status == 0, "BLAKE2b refuses nothing but wrong counts")
        return digest
    }

    /// A message authentication code under `key` (16 to 64 bytes).
    static func authenticator(of message: [UInt8], key: borrowing SecretBytes) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: digestBytes)
        let keyBytes = key.count
        let status = key.withBytes { keyBase in
            crypto_generichash(&digest, digestBytes, message, UInt64(message.count), keyBase, keyBytes)
        }
        precondition(status == 0, "BLAKE2b refuses nothing but wrong counts")
        return digest
    }

    /// A 32-byte key from a secret that is already hard to guess, with BLAKE2b's own salt and personalisation.
    static func key(
        from secret: borrowing SecretBytes, salt: [UInt8], personalization: [UInt8]
    ) throws(CryptoError) -> SecretBytes {
        precondition(salt.count == saltBytes && personalization.count == personalizationBytes)
        var key = try SecretBytes(count: digestBytes)
        let secretBytes = UInt64(secret.count)
        let status = key.withMutableBytes { output in
            secret.withBytes { input in
                crypto_generichash_blake2b_salt_personal(
                    output, digestBytes, input, secretBytes, nil, 0, salt, personalization)
            }
        }
        precondition(status == 0, "BLAKE2b refuses nothing but wrong counts")
        return key
    }
}
