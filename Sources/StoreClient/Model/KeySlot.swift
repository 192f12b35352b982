/// What kind of secret opens a key slot.
public enum KeySlotKind: String, Hashable, Sendable, CaseIterable {
    case passphrase
    case recoveryCode
    case keyFile
    case credential
    /// A kind this client does not know yet.
    case unknown
}

/// One of the independent ways to open the store.
public struct KeySlot: Hashable, Sendable {
    public var number: Int
    public var kind: KeySlotKind
    /// At most 64 bytes, chosen by the person.
    public var label: String
    public var createdAt: Timestamp
    /// Argon2id memory; 0 where the slot's secret is already a key.
    public var memoryBytes: UInt64
    /// Argon2id passes; 0 where the slot's secret is already a key.
    public var passes: Int
}

/// What a new slot is to be opened with.
public enum NewKeySlot: ~Copyable, Sendable {
    case secret(SecretInput)
    /// The daemon makes a recovery code and answers it, once.
    case generatedRecoveryCode
}

/// A slot that was added.
public struct AddedKeySlot: ~Copyable, Sendable {
    public let number: Int
    var recoveryCode: RecoveryCodeOutput?

    /// Only with `NewKeySlot.generatedRecoveryCode`, and only the first time: write it out now, it cannot be had again.
    public mutating func takeRecoveryCode() -> RecoveryCodeOutput? {
        recoveryCode.take()
    }
}
