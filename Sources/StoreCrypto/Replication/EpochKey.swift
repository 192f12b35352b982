import CSodium
import ReplicaModel

/// The 32 random bytes that everything of an epoch is sealed with. Every member of the group has them, and no device
/// that was removed before.
package struct EpochKey: ~Copyable, Sendable {
    package static let byteCount = 32

    /// What a subkey is for. The numbers are part of the format: never reused, never renumbered.
    enum Subkey: UInt64, CaseIterable {
        case batchSealing = 1
        case batchNonces = 2
        case snapshotSealing = 3
        case snapshotNonces = 4
    }

    /// What is kept at rest, and what a welcome holds.
    package let bytes: SecretBytes

    /// - Throws: `.memoryUnavailable`, `.sodiumUnavailable`.
    package static func generate() throws(CryptoError) -> EpochKey {
        try EpochKey(bytes: SecretBytes.random(count: byteCount))
    }

    /// - Throws: `.replicaKeyInvalid` unless there are 32 bytes.
    package init(bytes: consuming SecretBytes) throws(CryptoError) {
        guard bytes.count == Self.byteCount else {
            throw CryptoError(
                .replicaKeyInvalid, "the key of an epoch has \(Self.byteCount) bytes, not \(bytes.count)")
        }
        self.bytes = bytes
    }

    /// Opens what `sealed(for:)` gave for this device.
    ///
    /// - Throws: `.epochKeyNotOpened` for anything else, `.memoryUnavailable`.
    package init(opening sealedKey: [UInt8], with deviceKeys: borrowing ReplicaDeviceKeys) throws(CryptoError) {
        guard let bytes = try deviceKeys.openBox(sealedKey, contentBytes: Self.byteCount) else {
            throw CryptoError(
                .epochKeyNotOpened, "the key of an epoch is damaged, or sealed for another device")
        }
        try self.init(bytes: bytes)
    }

    /// The key for a device of the group, as libsodium's `crypto_box_seal` seals it
    /// (https://doc.libsodium.org/public-key_cryptography/sealed_boxes).
    ///
    /// - Parameter receivingKey: X25519, the public half of the device's receiving pair, 32 bytes.
    /// - Returns: `EpochRecord.sealedKeyBytes`, other ones with every call.
    /// - Throws: `.recipientKeyInvalid` for another count of bytes and for a point of low order, which nobody has the
    ///   secret half of.
    package borrowing func sealed(for receivingKey: [UInt8]) throws(CryptoError) -> [UInt8] {
        guard receivingKey.count == ReplicaDeviceKeys.receivingKeyBytes else {
            throw CryptoError(
                .recipientKeyInvalid,
                "a device's receiving key has \(ReplicaDeviceKeys.receivingKeyBytes) bytes, not \(receivingKey.count)")
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
