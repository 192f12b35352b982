import StoreCrypto

extension StoreError {
    /// The one place where a failure of the keys becomes a reason.
    init(_ error: CryptoError) {
        guard error.code != .durabilityLost else {
            self = .durabilityLost(error.message)
            return
        }
        let reason: Reason =
            switch error.code {
            case .sodiumUnavailable, .memoryUnavailable, .storageFailed, .durabilityLost: .storageFailed
            case .diskFull: .diskFull
            case .secretInvalid, .recoveryCodeMistyped, .costOutOfRange, .labelInvalid: .invalidArgument
            case .keyFileInvalid: .keyMissing
            case .keyFileExists: .alreadyExists
            case .wrongKey: .wrongKey
            case .keyringDamaged: .keyringDamaged
            case .keyringVersionUnknown: .newerSchema
            case .slotsFull: .keySlotsFull
            case .slotNotFound: .keySlotNotFound
            case .lastPersonSlot: .lastKeySlot
            case .rotationPending: .storeBusy
            case .sealedFileDamaged: .blobDamaged
            case .sealedFileNotForSecret: .blobSecretWrong
            case .recipientKeyInvalid: .invalidArgument
            }
        self.init(reason, error.message)
    }
}

/// Runs work on keys with its failures mapped to the engine's own error.
@inline(__always)
func mappedKeys<Result: ~Copyable>(
    _ body: @autoclosure () throws(CryptoError) -> Result
) throws(StoreError) -> Result {
    do throws(CryptoError) {
        return try body()
    } catch {
        throw StoreError(error)
    }
}
