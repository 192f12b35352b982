import CSodium
import ReplicaModel

/// The random 32-byte key that seals all messages of an epoch. Every member of the group has it; devices that were
/// removed earlier do not.
package struct EpochKey: ~Copyable, Sendable {
    package static let byteCount = 32

    /// The purpose of a subkey. The numbers are part of the format and must never be reused or changed.
    enum Subkey: UInt64, CaseIterable {
        case batchSealing = 1
        case batchNonces = 2
        case snapshotSealing = 3
        case snapshotNonces = 4
    }

    /// The key's bytes, which are stored in the database and sent in a welcome.
    package let bytes: SecretBytes

    /// - Throws: `.memoryUnavailable`, `.sodiumUnavailable`.
    package static func generate() throws(CryptoError) -> EpochKey {
        try EpochKey(bytes: SecretBytes.random(count: byteCount))
    }

    /// - Throws: `.replicaKeyInvalid` unless there are 32 bytes.
    package init(bytes: consuming SecretBytes) throws(CryptoError) {
        guard bytes.count == Self.byteCount else {
            throw CryptoError(
                .replicaKeyInvalid, "the key of an epoch has \(bytes.count) bytes; it must have \(Self.byteCount)")
        }
        self.bytes = bytes
    }

    /// Opens a key that `sealed(for:)` has sealed for this device.
    ///
    /// - Throws: `.epochKeyNotOpened` if it was not sealed for this device or is damaged; `.memoryUnavailable`.
    package init(opening sealedKey: [UInt8], with deviceKeys: borrowing ReplicaDeviceKeys) throws(CryptoError) {
        guard let bytes = try deviceKeys.openBox(sealedKey, contentBytes: Self.byteCount) else {
            throw CryptoError(
                .epochKeyNotOpened, "the key of an epoch is damaged, or sealed for another device")
        }
        try self.init(bytes: bytes)
    }

    /// Seals the key for a device of the group with libsodium's `crypto_box_seal`
    /// (https://doc.libsodium.org/public-key_cryptography/sealed_boxes).
    ///
    /// - Parameter receivingKey: X25519, the public half of the device's receiving pair, 32 bytes.
    /// - Returns: `EpochRecord.sealedKeyBytes` bytes, which differ with every call.
    /// - Throws: `.recipientKeyInvalid` for another number of bytes, or for a point of low order, which has no secret
    ///   half.
    package borrowing func sealed(for receivingKey: [UInt8]) throws(CryptoError) -> [UInt8] {
        guard receivingKey.count == ReplicaDeviceKeys.receivingKeyBytes else {
            throw CryptoError(
                .recipientKeyInvalid,
                """
                a device's receiving key has \(receivingKey.count) bytes; it must have \
                \(ReplicaDeviceKeys.receivingKeyBytes)
                """)
        }
        precondition(
            EpochRecord.sealedKeyBytes == Self.byteCount + crypto_box_sealbytes(),
            "the size of a sealed key must be the size that libsodium writes")
        var sealedKey = [UInt8](repeating: 0, count: EpochRecord.sealedKeyBytes)
        let status = bytes.withBytes { crypto_box_seal(&sealedKey, $0, UInt64(Self.byteCount), receivingKey) }
        guard status == 0 else {
            throw CryptoError(.recipientKeyInvalid, "a device's receiving key is not an X25519 key")
        }
        return sealedKey
    }

    borrowing func subkey(_ subkey: Subkey) throws(CryptoError) -> SecretBytes {
        try SubkeyDerivation.subkey(subkey.rawValue, of: bytes, context: .epochKey, count: Self.byteCount)
    }
}
