package import StoreBasics

/// What the wire says with each reason; proto-docs/ERRORS.md has the same, and what each reason means.
extension ErrorReason {
    /// The canonical code.
    package var code: WireErrorCode { wireForm.code }

    /// The same request may succeed later without a change to it or to the store by the caller.
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
