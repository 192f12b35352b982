import CSodium
import Interchange

/// The 32-byte key of one sealed file, from which the keys of its stream and of its header's authenticator are derived.
struct SealedFileKey: ~Copyable {
    static let keyBytes = 32

    private enum Subkey: UInt64 {
        case stream = 1
        case authenticator = 2
    }

    let bytes: SecretBytes

    init(bytes: consuming SecretBytes) {
        precondition(bytes.count == Self.keyBytes, "a file key must have \(Self.keyBytes) bytes")
        self.bytes = bytes
    }

    borrowing func streamKey() throws(CryptoError) -> SecretBytes {
        try subkey(.stream)
    }

    /// Returns the authenticator of a header. It also commits to the key: with XChaCha20-Poly1305 alone, a stream could
    /// be constructed that opens under two keys.
    borrowing func authenticator(of header: [UInt8]) throws(CryptoError) -> [UInt8] {
        Blake2b.authenticator(of: header, key: try subkey(.authenticator))
    }

    private borrowing func subkey(_ subkey: Subkey) throws(CryptoError) -> SecretBytes {
        try SubkeyDerivation.subkey(subkey.rawValue, of: bytes, context: .sealedFileKey, count: Self.keyBytes)
    }
}

/// The sizes of the chunks of sealed files, and the limits of the derivation cost that a sealed file can demand.
package enum SealedFileLimits {
    /// The plaintext size of every chunk except the last, which may be shorter or empty.
    package static let chunkBytes = 64 << 10
    /// The most derivation memory that a sealed file can demand. Without a limit, a file from another machine could
    /// demand all memory of the daemon.
    package static let memoryBytesMax: UInt64 = 64 << 20
    /// The most derivation passes that a sealed file can demand (about 0.5 s with the most memory).
    package static let passesMax: UInt32 = 8

    /// The bytes that secretstream adds to each chunk: a tag byte and an authenticator.
    static let chunkOverheadBytes = 17
    static let sealedChunkBytes = chunkBytes + chunkOverheadBytes

    /// Returns the size of the sealed form of `contentBytes` bytes, including the header.
    package static func sealedBytes(contentBytes: UInt64, headerBytes: Int) -> UInt64 {
        let chunks = contentBytes == 0 ? 1 : (contentBytes - 1) / UInt64(chunkBytes) + 1
        return UInt64(headerBytes) + contentBytes + chunks * UInt64(chunkOverheadBytes)
    }
}

/// Derivation of the file's key from a header and a secret.
extension SealedFileKey {
    static func forPassphrase(
        _ passphrase: borrowing SecretBytes, salt: [UInt8], cost: KeyDerivationCost
    ) throws(CryptoError) -> SealedFileKey {
        SealedFileKey(bytes: try PassphraseDerivation.key(from: passphrase, salt: salt, cost: cost))
    }

    /// Returns the key sealed to `publicKey` (https://doc.libsodium.org/public-key_cryptography/sealed_boxes).
    ///
    /// - Throws: `.recipientKeyInvalid` if `publicKey` is not a valid public key.
    borrowing func sealed(to publicKey: [UInt8]) throws(CryptoError) -> [UInt8] {
        var sealedKey = [UInt8](repeating: 0, count: SealedFileHeader.sealedKeyBytes)
        let status = bytes.withBytes { crypto_box_seal(&sealedKey, $0, UInt64(Self.keyBytes), publicKey) }
        guard status == 0 else {
            throw CryptoError(.recipientKeyInvalid, "the recipient's public key is not an X25519 key")
        }
        return sealedKey
    }

    /// Returns the key of a file that is sealed for recipients.
    ///
    /// - Parameter secretKey: 32 bytes, the secret half of the recipient's pair.
    /// - Throws: `.sealedFileNotForSecret` if the file is sealed for other recipients; `.sealedFileDamaged` if the
    ///   sealed key is damaged.
    static func opening(
        _ recipients: [SealedFileHeader.Recipient], secretKey: borrowing SecretBytes
    ) throws(CryptoError) -> SealedFileKey {
        var own = [UInt8](repeating: 0, count: SealedFileHeader.publicKeyBytes)
        let status = secretKey.withBytes { crypto_scalarmult_base(&own, $0) }
        guard status == 0, let recipient = recipients.first(where: { $0.publicKey == own }) else {
            throw CryptoError(.sealedFileNotForSecret, "the file is sealed for another key")
        }
        var key = try SecretBytes(count: keyBytes)
        let opened = key.withMutableBytes { output in
            secretKey.withBytes { secretKey in
                crypto_box_seal_open(
                    output, recipient.sealedKey, UInt64(recipient.sealedKey.count), own, secretKey)
            }
        }
        guard opened == 0 else {
            throw CryptoError(.sealedFileDamaged, "the sealed file is damaged: its sealed key cannot be opened")
        }
        return SealedFileKey(bytes: key)
    }

    /// Returns the key of a file.
    ///
    /// - Throws: `.sealedFileNotForSecret` if the secret is wrong or of the wrong kind; `.sealedFileDamaged` if the
    ///   header demands more than the limits allow, or if its sealed key is damaged.
    static func open(
        _ header: SealedFileHeader, with secret: borrowing SlotSecret
    ) throws(CryptoError) -> SealedFileKey {
        switch header.seal {
        case .passphrase(let memoryBytes, let passes, let salt):
            guard secret.kind == .passphrase else {
                throw CryptoError(.sealedFileNotForSecret, "the file is sealed with a passphrase; give the passphrase")
            }
            let key = try forPassphrase(secret.bytes, salt: salt, cost: try cost(memoryBytes, passes))
            return try key.checked(against: header)
        case .recipients(let recipients):
            return try open(header, for: recipients, with: secret)
        }
    }

    private static func open(
        _ header: SealedFileHeader, for recipients: [SealedFileHeader.Recipient], with secret: borrowing SlotSecret
    ) throws(CryptoError) -> SealedFileKey {
        guard secret.kind == .keyFile else {
            throw CryptoError(
                .sealedFileNotForSecret, "the file is sealed for a recipient; give the recipient's secret key file")
        }
        guard secret.bytes.count == SlotKeyPair.secretKeyBytes else {
            throw CryptoError(.sealedFileNotForSecret, "a recipient's secret key file must have exactly 32 bytes")
        }
        return try opening(recipients, secretKey: secret.bytes).checked(against: header)
    }

    private static func cost(_ memoryBytes: UInt64, _ passes: UInt32) throws(CryptoError) -> KeyDerivationCost {
        guard memoryBytes <= SealedFileLimits.memoryBytesMax, passes <= SealedFileLimits.passesMax,
            let cost = try? KeyDerivationCost(memoryBytes: memoryBytes, passes: passes)
        else {
            throw CryptoError(
                .sealedFileDamaged,
                """
                the cost of the sealed file's key derivation is out of range: 8 to 64 MiB and 1 to 8 passes are \
                allowed
                """
            )
        }
        return cost
    }

    private consuming func checked(against header: SealedFileHeader) throws(CryptoError) -> SealedFileKey {
        guard ConstantTime.areEqual(try authenticator(of: header.authenticatedBytes), header.authenticator) else {
            throw CryptoError(
                .sealedFileNotForSecret, "the secret does not open the file, or the file's header is damaged")
        }
        return self
    }
}
