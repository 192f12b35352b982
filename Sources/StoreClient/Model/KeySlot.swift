/// What kind of secret opens a key slot.
public enum KeySlotKind: String, Hashable, Sendable, CaseIterable, Codable {
    /// Text that a person chose and types.
    case passphrase
    /// Text that the daemon made and a person wrote down.
    case recoveryCode
    /// The bytes of a file.
    case keyFile
    /// A file that systemd gives the daemon (systemd.exec(5), LoadCredential).
    case credential
    /// A kind this client does not know yet.
    case unknown
}

/// One of the independent ways to open the store.
public struct KeySlot: Hashable, Sendable, Codable {
    /// What the calls name it by; given by the daemon.
    public var number: Int
    /// What kind of secret opens it.
    public var kind: KeySlotKind
    /// At most 64 bytes, chosen by the person.
    public var label: String
    /// When it was added, by the daemon's clock.
    public var createdAt: Timestamp
    /// Argon2id memory in bytes; 0 where the slot's secret is already a key.
    public var memoryBytes: UInt64
    /// Argon2id passes; 0 where the slot's secret is already a key.
    public var passes: Int
    /// True if the daemon opens the store with this slot at its start: its key file or credential opens the slot.
    public var isConfigured: Bool

    /// For tests and previews: the calls of a client make their own.
    public init(
        number: Int, kind: KeySlotKind, label: String = "", createdAt: Timestamp, memoryBytes: UInt64 = 0,
        passes: Int = 0, isConfigured: Bool = false
    ) {
        self.number = number
        self.kind = kind
        self.label = label
        self.createdAt = createdAt
        self.memoryBytes = memoryBytes
        self.passes = passes
        self.isConfigured = isConfigured
    }
}

/// The present state of the daemon's configured key, a key file or a credential.
public enum ConfiguredKey: String, Hashable, Sendable, CaseIterable, Codable {
    /// No key is configured: after a start the store is locked until a person or program unlocks it.
    case absent
    /// The key opens the slot with `KeySlot.isConfigured`.
    case opensSlot
    /// The key opens no slot: after the next start the state is `StoreState.wrongKey`.
    case opensNoSlot
    /// The key cannot be read: after the next start the state is `StoreState.keyMissing`.
    case unusable
    /// The daemon does not say, or this client does not know the state.
    case unknown
}

/// What a new slot is to be opened with.
public enum NewKeySlot: ~Copyable, Sendable {
    /// Of the secret's own kind.
    case secret(SecretInput)
    /// The daemon makes a recovery code and answers it, once.
    case generatedRecoveryCode
}

/// A slot that was added.
public struct AddedKeySlot: ~Copyable, Sendable {
    /// What the calls name it by.
    public let number: Int
    var recoveryCode: RecoveryCodeOutput?

    /// Only with `NewKeySlot.generatedRecoveryCode`, and only the first time: write it out now, it cannot be had again.
    public mutating func takeRecoveryCode() -> RecoveryCodeOutput? {
        recoveryCode.take()
    }
}
