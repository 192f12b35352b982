import SQLCipher
import StoreBasics
import StoreCrypto

extension StoreError {
    /// Maps a database failure to a reason. No other code does so.
    init(_ error: SQLCipherError) {
        switch error.kind {
        case .diskFull:
            self = .diskIsFull
        case .corrupt, .pageRefused:
            self = .databaseDamaged("a page is missing or was changed")
        case .notADatabase:
            self = .databaseDamaged("the first page cannot be opened with the store's key")
        case .syncFailed:
            self = .durabilityLost("the operating system could not write the database to disk; check the device")
        case .outcomeUnknown:
            self = .durabilityLost("the database may or may not have written a change: \(error)")
        case .busy:
            self.init(
                .storeBusy, "the files of the database are in use; try again", retryAfterMilliseconds: 100)
        case .inputOutput, .readOnly, .outOfMemory:
            self.init(.storageFailed, "the operating system refused a database operation: \(error)")
        case .interrupted:
            self.init(.deadlineExceeded, "the request was interrupted; it had no effect")
        case .tooBig:
            self.init(.invalidArgument, "a value is too large to be stored")
        case .constraint, .malformedKey, .profileRefused, .malformedRecording, .replayDiverged, .other:
            self.init(.internal, "a database operation failed: \(error); please report this")
        }
    }
}

/// Runs database work and maps its failures to `StoreError`.
@inline(__always)
func mapped<Result: ~Copyable>(
    _ body: @autoclosure () throws(SQLCipherError) -> Result
) throws(StoreError) -> Result {
    do throws(SQLCipherError) {
        return try body()
    } catch {
        throw StoreError(error)
    }
}

extension StoreError {
    /// Maps a failure of key operations to a reason. No other code does so.
    init(_ error: CryptoError) {
        guard error.code != .durabilityLost else {
            self = .durabilityLost(error.message)
            return
        }
        let reason: ErrorReason =
            switch error.code {
            case .sodiumUnavailable, .cipherUnavailable, .memoryUnavailable, .storageFailed, .durabilityLost:
                .storageFailed
            case .diskFull: .diskFull
            case .secretInvalid, .recoveryCodeMistyped, .costOutOfRange, .labelInvalid: .invalidArgument
            case .keyFileInvalid: .keyMissing
            case .keyFileExists, .slotExists: .alreadyExists
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
            case .replicaKeyInvalid, .epochKeyNotOpened, .envelopeTooLarge: .invalidArgument
            case .batchMalformed, .batchVersionUnknown, .batchForged, .batchNotOpened: .invalidArgument
            case .snapshotMalformed, .snapshotVersionUnknown, .snapshotForged, .snapshotNotOpened: .invalidArgument
            case .invitationNotOpened, .invitationVersionUnknown, .invitationRequestForged: .invalidArgument
            }
        self.init(reason, error.message)
    }
}

/// Runs work on keys and maps its failures to `StoreError`.
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
