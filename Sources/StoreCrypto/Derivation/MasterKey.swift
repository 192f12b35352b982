import CSodium

/// The 32 random bytes from which the keys of the database, the journal and other parts of the store are derived.
package struct MasterKey: ~Copyable, Sendable {
    static let keyBytes = 32
    /// The length of `x'`, 64 digits of the key, 32 digits of the salt, and `'`.
    package static let databaseKeyBytes = 99

    let bytes: SecretBytes

    init(bytes: consuming SecretBytes) {
        precondition(bytes.count == Self.keyBytes, "a master key must have \(Self.keyBytes) bytes")
        self.bytes = bytes
    }

    static func generate() throws(CryptoError) -> MasterKey {
        MasterKey(bytes: try SecretBytes.random(count: keyBytes))
    }

    /// Derives a subkey of `count` bytes (16 to 64) for one purpose.
    ///
    /// - Throws: `.memoryUnavailable`.
    package borrowing func subkey(_ purpose: KeyPurpose, count: Int = 32) throws(CryptoError) -> SecretBytes {
        try SubkeyDerivation.subkey(purpose.rawValue, of: bytes, context: .masterKey, count: count)
    }

    /// Returns SQLCipher's key in the form of a raw-key literal: `x'<64 lower-case hex of key><32 hex of salt>'`, 99
    /// ASCII bytes without NUL.
    ///
    /// The length must be exact, because SQLCipher treats any other text as a passphrase
    /// (https://www.zetetic.net/sqlcipher/sqlcipher-api/#key).
    ///
    /// - Throws: `.memoryUnavailable`.
    package borrowing func databaseKey() throws(CryptoError) -> SecretBytes {
        let rawKey = try subkey(.database, count: 32)
        let salt = try subkey(.databaseSalt, count: 16)
        var literal = try SecretBytes(count: Self.databaseKeyBytes)
        literal.withMutableBytes { output in
            output[0] = UInt8(ascii: "x")
            output[1] = UInt8(ascii: "'")
            // Each call also writes a NUL after the digits. The salt's first digit overwrites the NUL of the first
            // call, and the closing quote overwrites the NUL of the second call.
            Self.writeHexadecimal(of: rawKey, to: output + 2)
            Self.writeHexadecimal(of: salt, to: output + 66)
            output[98] = UInt8(ascii: "'")
        }
        return literal
    }

    /// Writes two digits for each byte and a NUL, in a time that depends only on the length
    /// (https://doc.libsodium.org/helpers#hexadecimal-encoding-decoding).
    private static func writeHexadecimal(of secret: borrowing SecretBytes, to output: UnsafeMutablePointer<UInt8>) {
        let secretBytes = secret.count
        let digits = UnsafeMutableRawPointer(output).assumingMemoryBound(to: CChar.self)
        secret.withBytes { input in
            _ = sodium_bin2hex(digits, secretBytes * 2 + 1, input, secretBytes)
        }
    }

    /// Returns the value by which the keyring recognizes this key. The value is computed from a separate subkey, so
    /// that it reveals nothing about the other subkeys.
    borrowing func keyCheck() throws(CryptoError) -> [UInt8] {
        let check = try subkey(.keyCheck, count: Blake2b.digestBytes)
        return Blake2b.authenticator(of: Array("ghoststore key check".utf8), key: check)
    }
}

/// The purpose of a subkey of the master key. The numbers are part of the format and must never be reused or changed.
package enum KeyPurpose: UInt64, Sendable, CaseIterable {
    /// SQLCipher's raw key.
    case database = 1
    /// SQLCipher's salt (the first 16 bytes of the database file).
    case databaseSalt = 2
    /// Reserved for the vault. Not in use: each content has a random key of its own.
    case vault = 3
    /// The files that a backup contains in addition to the database.
    case backup = 4
    /// Reserved for data for other devices. Not in use: replication has keys of its own.
    case sync = 5
    /// The value by which the keyring recognizes the master key.
    case keyCheck = 6
    /// The segments of the journal.
    case journal = 7
}

/// Derivation of subkeys of a 32-byte key with `crypto_kdf_derive_from_key`: keyed BLAKE2b of an empty message, with
/// the subkey's number as salt and the context as personalization.
///
/// https://doc.libsodium.org/key_derivation
enum SubkeyDerivation {
    static let keyBytes = 32
    static let subkeyBytesRange = 16...64

    /// Eight ASCII characters for each kind of key, so that subkeys of different kinds are unrelated even if they have
    /// the same number.
    enum Context: String {
        case masterKey = "gsmaster"
        case slotKey = "gs-slot1"
        case sealedFileKey = "gs-blob1"
        case contentKey = "gs-file1"
        case authenticityKey = "gs-auth1"
        case epochKey = "gs-epoch"
        case invitation = "gs-invit"
    }

    static func subkey(
        _ number: UInt64, of key: borrowing SecretBytes, context: Context, count: Int
    ) throws(CryptoError) -> SecretBytes {
        precondition(key.count == keyBytes, "a subkey must be derived from a key of \(keyBytes) bytes")
        precondition(subkeyBytesRange.contains(count), "a subkey must have 16 to 64 bytes")
        precondition(context.rawValue.utf8.count == 8, "a context must have 8 bytes")
        var subkey = try SecretBytes(count: count)
        let status = subkey.withMutableBytes { output in
            key.withBytes { input in
                crypto_kdf_derive_from_key(output, count, number, context.rawValue, input)
            }
        }
        precondition(status == 0, "crypto_kdf fails only if a length is wrong")
        return subkey
    }
}
