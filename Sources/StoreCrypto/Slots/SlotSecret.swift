package import StoreBasics

/// The kind of secret that opens a slot. The numbers are part of the keyring file and of the protocol.
package enum SlotKind: UInt8, Sendable, Hashable, CaseIterable {
    case passphrase = 1
    case recoveryCode = 2
    case keyFile = 3
    /// A systemd credential.
    case credential = 4

    /// True if a person can type the secret.
    package var isForPerson: Bool {
        switch self {
        case .passphrase, .recoveryCode: true
        case .keyFile, .credential: false
        }
    }
}

/// A secret that opens a slot. Its bytes are valid for its kind.
package struct SlotSecret: ~Copyable, Sendable {
    package let kind: SlotKind
    /// The secret's bytes. A recovery code is in its plain form: 32 upper-case characters without hyphens.
    package let bytes: SecretBytes

    package static let passphraseBytesRange = 1...1_024
    package static let keyFileBytesRange = 32...4_096

    /// Accepts a passphrase of 1 to 1,024 bytes of UTF-8, a recovery code as printed or as typed from paper, or a key
    /// file or credential of 32 to 4,096 bytes.
    ///
    /// A passphrase is used byte for byte, without trimming or Unicode normalization.
    ///
    /// - Throws: `.secretInvalid`, `.recoveryCodeMistyped`, `.memoryUnavailable`.
    package init(kind: SlotKind, bytes: consuming SecretBytes) throws(CryptoError) {
        switch kind {
        case .passphrase:
            try Self.checkPassphrase(bytes)
            self.bytes = bytes
        case .recoveryCode:
            self.bytes = try RecoveryCode.parse(bytes)
        case .keyFile, .credential:
            guard Self.keyFileBytesRange.contains(bytes.count) else {
                throw CryptoError(.secretInvalid, "the key has \(bytes.count) bytes; it must have 32 to 4,096")
            }
            self.bytes = bytes
        }
        self.kind = kind
    }

    private static func checkPassphrase(_ bytes: borrowing SecretBytes) throws(CryptoError) {
        guard passphraseBytesRange.contains(bytes.count) else {
            throw CryptoError(.secretInvalid, "the passphrase has \(bytes.count) bytes; it must have 1 to 1,024")
        }
        guard bytes.withUnsafeBytes({ $0.isUTF8 }) else {
            throw CryptoError(.secretInvalid, "the passphrase is not UTF-8; check the terminal's encoding")
        }
    }
}

/// A container that carries a slot's secret, which cannot be copied, into an escaping closure. A secret that is never
/// taken out is wiped when the container ends.
package typealias SlotSecretBox = TakeOnce<SlotSecret>

/// The derivation of a slot's key from its secret. Only the derivation from a passphrase has a cost.
enum SlotDerivation: Hashable, Sendable {
    case argon2id(KeyDerivationCost)
    case blake2b(StrongSecretKind)

    /// The kinds of secrets that are already hard to guess.
    enum StrongSecretKind: Hashable, Sendable {
        case recoveryCode
        case keyFile
        case credential

        /// The personalization of BLAKE2b: 16 ASCII characters, part of the format.
        var personalization: [UInt8] {
            switch self {
            case .recoveryCode: Array("gs-slot-recovery".utf8)
            case .keyFile: Array("gs-slot-key-file".utf8)
            case .credential: Array("gs-slot-credenti".utf8)
            }
        }
    }

    /// - Parameter cost: used for a passphrase only.
    init(kind: SlotKind, cost: KeyDerivationCost) {
        switch kind {
        case .passphrase: self = .argon2id(cost)
        case .recoveryCode: self = .blake2b(.recoveryCode)
        case .keyFile: self = .blake2b(.keyFile)
        case .credential: self = .blake2b(.credential)
        }
    }

    var kind: SlotKind {
        switch self {
        case .argon2id: .passphrase
        case .blake2b(.recoveryCode): .recoveryCode
        case .blake2b(.keyFile): .keyFile
        case .blake2b(.credential): .credential
        }
    }

    var cost: KeyDerivationCost? {
        switch self {
        case .argon2id(let cost): cost
        case .blake2b: nil
        }
    }
}
