/// The stable reasons by which programs distinguish errors. The engine throws them, the daemon sends them, and
/// proto-docs/ERRORS.md explains them. The raw value is `Error.reason` in the protocol. Reasons may be added within v1,
/// but never renamed or removed.
package enum ErrorReason: String, Hashable, Sendable, CaseIterable {
    // Frames and requests
    case frameEmpty = "FRAME_EMPTY"
    case frameTooLarge = "FRAME_TOO_LARGE"
    case frameTruncated = "FRAME_TRUNCATED"
    case frameTimeout = "FRAME_TIMEOUT"
    case requestMalformed = "REQUEST_MALFORMED"
    case requestTooLarge = "REQUEST_TOO_LARGE"
    case requestIDInUse = "REQUEST_ID_IN_USE"
    case callUnknown = "CALL_UNKNOWN"
    case invalidArgument = "INVALID_ARGUMENT"
    case deadlineExceeded = "DEADLINE_EXCEEDED"
    case idempotencyKeyReused = "IDEMPOTENCY_KEY_REUSED"
    case responseTooLarge = "RESPONSE_TOO_LARGE"
    // Access
    case permissionDenied = "PERMISSION_DENIED"
    // Limits of the daemon
    case tooManyConnections = "TOO_MANY_CONNECTIONS"
    case tooManyWatches = "TOO_MANY_WATCHES"
    case memoryExhausted = "MEMORY_EXHAUSTED"
    case queueFull = "QUEUE_FULL"
    case shuttingDown = "SHUTTING_DOWN"
    // Entities
    case conversationNotFound = "CONVERSATION_NOT_FOUND"
    case messageNotFound = "MESSAGE_NOT_FOUND"
    case tooManyReactions = "TOO_MANY_REACTIONS"
    case attachmentNotFound = "ATTACHMENT_NOT_FOUND"
    case attachmentContentNotFound = "ATTACHMENT_CONTENT_NOT_FOUND"
    case attachmentEvicted = "ATTACHMENT_EVICTED"
    case contactNotFound = "CONTACT_NOT_FOUND"
    case alreadyExists = "ALREADY_EXISTS"
    case sceneNotFound = "SCENE_NOT_FOUND"
    case sceneConditionFailed = "SCENE_CONDITION_FAILED"
    case logNotFound = "LOG_NOT_FOUND"
    case logFull = "LOG_FULL"
    case logMessageTooLarge = "LOG_MESSAGE_TOO_LARGE"
    case logNotWritable = "LOG_NOT_WRITABLE"
    case fileNotFound = "FILE_NOT_FOUND"
    case directoryNotFound = "DIRECTORY_NOT_FOUND"
    case parentDirectoryNotFound = "PARENT_DIRECTORY_NOT_FOUND"
    case directoryNotEmpty = "DIRECTORY_NOT_EMPTY"
    case fileChanged = "FILE_CHANGED"
    case fileDamaged = "FILE_DAMAGED"
    case searchIndexIncomplete = "SEARCH_INDEX_INCOMPLETE"
    case fileWriteNotFound = "FILE_WRITE_NOT_FOUND"
    case tooManyFileWrites = "TOO_MANY_FILE_WRITES"
    case fileQuotaExceeded = "FILE_QUOTA_EXCEEDED"
    // Changes
    case changesCompacted = "CHANGES_COMPACTED"
    case revisionAhead = "REVISION_AHEAD"
    case watchBacklogExceeded = "WATCH_BACKLOG_EXCEEDED"
    case historyChanged = "HISTORY_CHANGED"
    // State of the store
    case storeAbsent = "STORE_ABSENT"
    case storeExists = "STORE_EXISTS"
    case storeLocked = "STORE_LOCKED"
    case storeAlreadyOpen = "STORE_ALREADY_OPEN"
    case storeBusy = "STORE_BUSY"
    case diskFull = "DISK_FULL"
    case keyringDamaged = "KEYRING_DAMAGED"
    case databaseDamaged = "DATABASE_DAMAGED"
    case journalDamaged = "JOURNAL_DAMAGED"
    case storeRolledBack = "STORE_ROLLED_BACK"
    case newerSchema = "NEWER_SCHEMA"
    case storageFailed = "STORAGE_FAILED"
    // Keys
    case wrongKey = "WRONG_KEY"
    case keyMissing = "KEY_MISSING"
    case unlockThrottled = "UNLOCK_THROTTLED"
    case lastKeySlot = "LAST_KEY_SLOT"
    case keySlotConfigured = "KEY_SLOT_CONFIGURED"
    case keySlotNotFound = "KEY_SLOT_NOT_FOUND"
    case keySlotsFull = "KEY_SLOTS_FULL"
    case lowCostRefused = "LOW_COST_REFUSED"
    // Backups
    case backupNotFound = "BACKUP_NOT_FOUND"
    case backupDamaged = "BACKUP_DAMAGED"
    case backupIncomplete = "BACKUP_INCOMPLETE"
    case backupKeyMissing = "BACKUP_KEY_MISSING"
    case tooManyBackups = "TOO_MANY_BACKUPS"
    // Blobs
    case blobDamaged = "BLOB_DAMAGED"
    case blobTimestampOutOfRange = "BLOB_TIMESTAMP_OUT_OF_RANGE"
    case blobSecretWrong = "BLOB_SECRET_WRONG"
    case blobSessionNotFound = "BLOB_SESSION_NOT_FOUND"
    case tooManyBlobSessions = "TOO_MANY_BLOB_SESSIONS"
    // Archives
    case archiveDamaged = "ARCHIVE_DAMAGED"
    case archiveSecretWrong = "ARCHIVE_SECRET_WRONG"
    case storeNotEmpty = "STORE_NOT_EMPTY"
    // Replica groups
    case replicaGroupAbsent = "REPLICA_GROUP_ABSENT"
    case replicaDeviceNotFound = "REPLICA_DEVICE_NOT_FOUND"
    case replicaDeviceChanged = "REPLICA_DEVICE_CHANGED"
    case storeInReplicaGroup = "STORE_IN_REPLICA_GROUP"
    // The daemon itself
    case `internal` = "INTERNAL"
}

extension ErrorReason {
    /// The index of the reason in the list of all reasons, for tables with a row for each reason.
    package var position: Int { Self.inOrder.firstIndex(of: self) ?? 0 }

    private static let inOrder = allCases
}
