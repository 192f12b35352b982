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
