/// The secret that opens a new slot.
public enum NewKeySlot: ~Copyable, Sendable {
    /// A secret of the caller. The slot is of the secret's kind.
    case secret(SecretInput)
    /// A recovery code that the daemon creates and returns once.
    case generatedRecoveryCode
}

/// A slot that was added.
public struct AddedKeySlot: ~Copyable, Sendable {
    /// The number of the slot in calls.
    public let number: Int
    var recoveryCode: RecoveryCodeOutput?

    /// Only with `NewKeySlot.generatedRecoveryCode`, and only the first time: write it out now, it cannot be had again.
    public mutating func takeRecoveryCode() -> RecoveryCodeOutput? {
        recoveryCode.take()
    }
}
