package import StoreBasics

/// The protocol's code for each reason, and whether a retry makes sense. proto-docs/ERRORS.md lists both, and the
/// meaning of each reason.
extension ErrorReason {
    /// The canonical code, such as `NOT_FOUND`, for clients that do not know the reason.
    package var code: WireErrorCode { wireForm.code }

    /// True if the request may succeed later although the caller changes neither the request nor the store.
    package var isRetryable: Bool { wireForm.isRetryable }

    private var wireForm: (code: WireErrorCode, isRetryable: Bool) {
        switch self {
        case .frameEmpty, .frameTruncated, .requestMalformed, .invalidArgument, .logMessageTooLarge, .blobDamaged,
            .archiveDamaged:
            (.invalidArgument, false)
        case .frameTooLarge, .requestTooLarge, .responseTooLarge, .tooManyWatches, .tooManyReactions,
            .fileQuotaExceeded, .keySlotsFull, .tooManyBackups:
            (.resourceExhausted, false)
        case .tooManyConnections, .memoryExhausted, .queueFull, .tooManyFileWrites, .watchBacklogExceeded, .diskFull,
            .unlockThrottled, .tooManyBlobSessions:
            (.resourceExhausted, true)
        case .frameTimeout: (.deadlineExceeded, false)
        case .deadlineExceeded: (.deadlineExceeded, true)
        case .requestIDInUse, .idempotencyKeyReused, .alreadyExists: (.alreadyExists, false)
        case .callUnknown: (.unimplemented, false)
        case .permissionDenied, .wrongKey, .blobSecretWrong, .archiveSecretWrong: (.permissionDenied, false)
        case .shuttingDown, .storeBusy: (.unavailable, true)
        case .conversationNotFound, .messageNotFound, .attachmentNotFound, .attachmentContentNotFound, .contactNotFound,
            .sceneNotFound, .logNotFound, .fileNotFound, .directoryNotFound, .fileWriteNotFound, .keySlotNotFound,
            .backupNotFound, .blobSessionNotFound, .replicaDeviceNotFound:
            (.notFound, false)
        case .sceneConditionFailed, .fileChanged: (.aborted, false)
        case .changesCompacted, .revisionAhead, .blobTimestampOutOfRange: (.outOfRange, false)
        case .attachmentEvicted, .logFull, .logNotWritable, .parentDirectoryNotFound, .directoryNotEmpty,
            .searchIndexIncomplete, .historyChanged, .storeAbsent, .storeExists, .storeLocked, .storeAlreadyOpen,
            .newerSchema, .keyMissing, .lastKeySlot, .keySlotConfigured, .lowCostRefused, .backupIncomplete,
            .backupKeyMissing, .storeNotEmpty, .replicaGroupAbsent, .replicaDeviceChanged, .storeInReplicaGroup:
            (.failedPrecondition, false)
        case .fileDamaged, .keyringDamaged, .databaseDamaged, .journalDamaged, .storeRolledBack, .backupDamaged:
            (.dataLoss, false)
        case .storageFailed, .internal: (.internal, false)
        }
    }
}
