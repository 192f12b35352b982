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
