package import StoreBasics

/// What opens a slot. The numbers are those of the keyring file and of the wire.
package enum SlotKind: UInt8, Sendable, Hashable, CaseIterable {
    case passphrase = 1
    case recoveryCode = 2
    case keyFile = 3
    /// A systemd credential.
    case credential = 4

    /// Whether a person can type what opens it.
    package var isForPerson: Bool {
        switch self {
        case .passphrase, .recoveryCode: true
        case .keyFile, .credential: false
        }
    }
}

/// What opens a slot: a secret of the form its kind takes.
package struct SlotSecret: ~Copyable, Sendable {
    package let kind: SlotKind
    /// A recovery code is in its plain form here: 32 upper-case characters, no hyphens.
    package let bytes: SecretBytes

    package static let passphraseBytesRange = 1...1_024
    package static let keyFileBytesRange = 32...4_096

    /// Takes a passphrase of 1 to 1,024 bytes of UTF-8, a recovery code as printed or as typed from paper, or a key
    /// file or credential of 32 to 4,096 bytes.
    ///
    /// A passphrase is taken byte for byte: no trimming, no Unicode normalisation.
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

/// Carries a slot's secret, which cannot be copied, across an escaping closure. One never taken is wiped at the end.
package typealias SlotSecretBox = TakeOnce<SlotSecret>

/// How a slot's secret becomes its key: a passphrase always has a cost, and nothing else has one.
enum SlotDerivation: Hashable, Sendable {
    case argon2id(KeyDerivationCost)
    case blake2b(StrongSecretKind)

    /// The kinds whose secret is already hard to guess.
    enum StrongSecretKind: Hashable, Sendable {
        case recoveryCode
        case keyFile
        case credential

        /// BLAKE2b's personalisation: 16 ASCII characters, part of the format.
        var personalization: [UInt8] {
            switch self {
            case .recoveryCode: Array("gs-slot-recovery".utf8)
            case .keyFile: Array("gs-slot-key-file".utf8)
            case .credential: Array("gs-slot-credenti".utf8)
            }
        }
    }

    /// `cost` counts for a passphrase only.
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
