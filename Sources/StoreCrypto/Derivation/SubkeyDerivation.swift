import CSodium

/// Subkeys of a 32-byte key by `crypto_kdf_derive_from_key`: BLAKE2b keyed with the key, the number as salt and
/// the context as personalisation, of an empty message.
///
/// https://doc.libsodium.org/key_derivation
enum SubkeyDerivation {
    static let keyBytes = 32
    static let subkeyBytesRange = 16...64

    /// Eight ASCII characters that keep the subkeys of different keys apart.
    enum Context: String {
        case masterKey = "gsmaster"
        case slotKey = "gs-slot1"
        case sealedFileKey = "gs-blob1"
    }

    static func subkey(
        _ number: UInt64, of key: borrowing SecretBytes, context: Context, count: Int
    ) throws(CryptoError) -> SecretBytes {
        precondition(key.count == keyBytes, "subkeys come from a key of \(keyBytes) bytes")
        precondition(subkeyBytesRange.contains(count), "a subkey has 16 to 64 bytes")
        precondition(context.rawValue.utf8.count == 8, "a context has 8 bytes")
        var subkey = try SecretBytes(count: count)
        let status = subkey.withMutableBytes { output in
            key.withBytes { input in
                crypto_kdf_derive_from_key(output, count, number, context.rawValue, input)
            }
        }
        precondition(status == 0, "crypto_kdf refuses nothing but a wrong count")
        return subkey
    }
}
