import CSodium
import Synchronization

/// The cost of one Argon2id derivation: memory, and passes over it. There is one lane, as in libsodium.
///
/// https://doc.libsodium.org/password_hashing/default_phf
package struct KeyDerivationCost: Sendable, Hashable {
    /// The memory, a multiple of 1,024 from `memoryBytesMin` to `memoryBytesMax`.
    package let memoryBytes: UInt64
    /// The number of passes, from `passesMin` to `passesMax`.
    package let passes: UInt32

    package static let memoryBytesMin: UInt64 = 8 << 20
    /// The most memory that a keyring can demand, even a forged one. Together with all other memory that the daemon may
    /// allocate, it stays below the unit's MemoryMax=1G.
    package static let memoryBytesMax: UInt64 = 512 << 20
    package static let passesMin: UInt32 = 1
    /// The most passes that a keyring can demand, even a forged one (about 4 s with the most memory).
    package static let passesMax: UInt32 = 8

    /// The cost named MODERATE in libsodium: 256 MiB, 3 passes, about 0.65 s.
    package static let moderate = KeyDerivationCost(uncheckedMemoryBytes: 256 << 20, passes: 3)
    /// The cost for files sealed with a passphrase: 64 MiB, 6 passes, about 0.35 s. Exports and imports derive keys in
    /// the daemon's memory. With this cost the daemon stays below 256 MiB, whatever else clients make it allocate.
    package static let sealedFile = KeyDerivationCost(uncheckedMemoryBytes: 64 << 20, passes: 6)
    /// The lowest cost: 8 MiB, 1 pass, a few milliseconds. It protects nothing and is only for tests.
    package static let lowForTests = KeyDerivationCost(uncheckedMemoryBytes: memoryBytesMin, passes: passesMin)

    /// - Throws: `.costOutOfRange`.
    package init(memoryBytes: UInt64, passes: UInt32) throws(CryptoError) {
        guard (Self.memoryBytesMin...Self.memoryBytesMax).contains(memoryBytes), memoryBytes.isMultiple(of: 1_024),
            (Self.passesMin...Self.passesMax).contains(passes)
        else {
            throw CryptoError(
                .costOutOfRange,
                "the cost of key derivation is out of range: choose 8 to 512 MiB in whole KiB and 1 to 8 passes")
        }
        self.init(uncheckedMemoryBytes: memoryBytes, passes: passes)
    }

    private init(uncheckedMemoryBytes memoryBytes: UInt64, passes: UInt32) {
        self.memoryBytes = memoryBytes
        self.passes = passes
    }
}

/// Argon2id (version 1.3, one lane), which derives a 32-byte key from a passphrase.
///
/// RFC 9106; https://doc.libsodium.org/password_hashing/default_phf
enum PassphraseDerivation {
    static let saltBytes = 16

    /// A lock that admits one derivation at a time in the whole process, because each may take up to 512 MiB and
    /// clients can start many.
    private static let turn = Mutex<Void>(())

    /// - Throws: `.memoryUnavailable` if the memory for the derivation cannot be allocated.
    static func key(
        from passphrase: borrowing SecretBytes, salt: [UInt8], cost: KeyDerivationCost
    ) throws(CryptoError) -> SecretBytes {
        precondition(salt.count == saltBytes, "a salt of Argon2id must have \(saltBytes) bytes")
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
                "cannot derive a key: \(cost.memoryBytes >> 20) MiB cannot be allocated; raise the memory limit")
        }
        return key
    }
}
