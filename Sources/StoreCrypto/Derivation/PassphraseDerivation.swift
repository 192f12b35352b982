import CSodium
import Synchronization

/// Argon2id (version 1.3, one lane) from a passphrase to a 32-byte key.
///
/// RFC 9106; https://doc.libsodium.org/password_hashing/default_phf
enum PassphraseDerivation {
    static let saltBytes = 16

    /// One derivation at a time in the whole process: each may take up to 1 GiB, and callers arrive from outside.
    private static let turn = Mutex<Void>(())

    /// - Throws: `.memoryUnavailable` when the derivation's memory cannot be had.
    static func key(
        from passphrase: borrowing SecretBytes, salt: [UInt8], cost: KeyDerivationCost
    ) throws(CryptoError) -> SecretBytes {
        precondition(salt.count == saltBytes, "Argon2id takes a salt of \(saltBytes) bytes")
        var key = try SecretBytes(count: SlotKey.keyBytes)
        let keyBytes = UInt64(key.count)
        let passphraseBytes = UInt64(passphrase.count)
        let status = key.withMutableBytes { output in
            passphrase.withCharacters { input in
                turn.withLock { _ in
                    crypto_pwhash(
                        output, keyBytes, input, passphraseBytes, salt, UInt64(cost.passes),
                        Int(cost.memoryBytes), crypto_pwhash_ALG_ARGON2ID13)
                }
            }
        }
        guard status == 0 else {
            throw CryptoError(
                .memoryUnavailable,
                "cannot derive a key: \(cost.memoryBytes >> 20) MiB of memory cannot be had; raise the memory limit")
        }
        return key
    }
}
