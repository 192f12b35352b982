extension StoreClientError {
    /// A stable UPPER_SNAKE word. The daemon's are listed in proto-docs/ERRORS.md; a newer daemon may send others.
    public struct Reason: RawRepresentable, Hashable, Sendable {
        /// The word as the protocol writes it: `MESSAGE_NOT_FOUND`.
        public let rawValue: String

        /// The reason of that word, which need not be one of those listed here.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }
}

/// Reasons this client gives itself: no answer came, or none that it could use.
extension StoreClientError.Reason {
    /// No socket at the given path, or at any of the well-known places.
    public static let socketAbsent = Self(rawValue: "SOCKET_ABSENT")
    /// The socket is there, but this user may not open it.
    public static let socketForbidden = Self(rawValue: "SOCKET_FORBIDDEN")
    /// The socket is there, but nobody answers on it.
    public static let daemonUnreachable = Self(rawValue: "DAEMON_UNREACHABLE")
    /// The connection ended after the call was sent. The call may or may not have had an effect.
    public static let connectionLost = Self(rawValue: "CONNECTION_LOST")
    /// The client was closed.
    public static let clientClosed = Self(rawValue: "CLIENT_CLOSED")
    /// The calling task was cancelled. A call that was already sent may still take effect.
    public static let cancelled = Self(rawValue: "CANCELLED")
    /// The deadline passed, here or in the daemon. A mutation may still have taken effect when it passed here.
    public static let deadlineExceeded = Self(rawValue: "DEADLINE_EXCEEDED")
    /// More calls wait for their turn than `ClientConfiguration.waitingCallsMax`.
    public static let tooManyWaitingCalls = Self(rawValue: "TOO_MANY_WAITING_CALLS")
    /// The request is larger than the largest frame the daemon takes, or has more bytes or entries than its call takes.
    public static let requestTooLarge = Self(rawValue: "REQUEST_TOO_LARGE")
    /// What came is not an answer of the protocol, or not one to this call. Bytes that cannot be told to belong to one
    /// call end every call that waits for its answer on the connection. A mutation may have taken effect.
    public static let answerUnreadable = Self(rawValue: "ANSWER_UNREADABLE")
    /// A file, descriptor or terminal could not be read or written.
    public static let inputOutputFailed = Self(rawValue: "INPUT_OUTPUT_FAILED")
    /// Text that is not the protobuf JSON of a request or response.
    public static let jsonUnreadable = Self(rawValue: "JSON_UNREADABLE")
}

/// Reasons of the daemon: what is wrong with a request, and what there was no room for.
extension StoreClientError.Reason {
    /// A frame of no bytes. Only of bytes that were not made by this library.
    public static let frameEmpty = Self(rawValue: "FRAME_EMPTY")
    /// A frame larger than the daemon takes.
    public static let frameTooLarge = Self(rawValue: "FRAME_TOO_LARGE")
    /// The connection was closed for sending in the middle of a frame.
    public static let frameTruncated = Self(rawValue: "FRAME_TRUNCATED")
    /// A frame was begun and not sent to its end in time.
    public static let frameTimeout = Self(rawValue: "FRAME_TIMEOUT")
    /// Bytes that are no request. Only of a request that was not made by this library.
    public static let requestMalformed = Self(rawValue: "REQUEST_MALFORMED")
    /// A watch or a waiting read of this request id runs. Only of a request that was not made by this library.
    public static let requestIDInUse = Self(rawValue: "REQUEST_ID_IN_USE")
    /// The daemon does not know the call: it is older than this library.
    public static let callUnknown = Self(rawValue: "CALL_UNKNOWN")
    /// A field of the call is missing or out of its range; the message says which.
    public static let invalidArgument = Self(rawValue: "INVALID_ARGUMENT")
    /// The idempotency key was used for another call, or for the same with other content; nothing was changed.
    public static let idempotencyKeyReused = Self(rawValue: "IDEMPOTENCY_KEY_REUSED")
    /// The answer does not fit a frame; ask for less at once.
    public static let responseTooLarge = Self(rawValue: "RESPONSE_TOO_LARGE")
    /// The caller's user and groups have no right to this call.
    public static let permissionDenied = Self(rawValue: "PERMISSION_DENIED")
    /// The caller's user has as many connections as are left for all others, or there are as many as allowed.
    public static let tooManyConnections = Self(rawValue: "TOO_MANY_CONNECTIONS")
    /// The connection has as many watches or waiting reads as it may, 64 of each unless the daemon is configured
    /// otherwise, or its user as many as are left for all others. End some, or connect once more.
    public static let tooManyWatches = Self(rawValue: "TOO_MANY_WATCHES")
    /// Requests and answers under way hold as much memory as allowed; try again later.
    public static let memoryExhausted = Self(rawValue: "MEMORY_EXHAUSTED")
    /// More work is waiting than the daemon queues; try again later.
    public static let queueFull = Self(rawValue: "QUEUE_FULL")
    /// The daemon is stopping; connect again in a moment.
    public static let shuttingDown = Self(rawValue: "SHUTTING_DOWN")
    /// A fault of the daemon; its log says more.
    public static let `internal` = Self(rawValue: "INTERNAL")
}

/// Reasons of the daemon: what is not there, is there already, or is otherwise than the call expects.
extension StoreClientError.Reason {
    /// There is no such conversation.
    public static let conversationNotFound = Self(rawValue: "CONVERSATION_NOT_FOUND")
    /// There is no such message.
    public static let messageNotFound = Self(rawValue: "MESSAGE_NOT_FOUND")
    /// The message has no attachment of this position.
    public static let attachmentNotFound = Self(rawValue: "ATTACHMENT_NOT_FOUND")
    /// The content of an attachment is named by its digest, and is not in the store: nothing was saved. Write it, then
    /// save again.
    public static let attachmentContentNotFound = Self(rawValue: "ATTACHMENT_CONTENT_NOT_FOUND")
    /// The content of the attachment made room for others; fetch it again from its source, and write it.
    public static let attachmentEvicted = Self(rawValue: "ATTACHMENT_EVICTED")
    /// The message has as many reactions, or reactions of as many emoji, as a message may have.
    public static let tooManyReactions = Self(rawValue: "TOO_MANY_REACTIONS")
    /// There is no such contact.
    public static let contactNotFound = Self(rawValue: "CONTACT_NOT_FOUND")
    /// The id or session id given for a new entity is taken by another; or the new secret opens a key slot already.
    public static let alreadyExists = Self(rawValue: "ALREADY_EXISTS")
    /// The scene has no values of its own.
    public static let sceneNotFound = Self(rawValue: "SCENE_NOT_FOUND")
    /// A condition on a scene's values does not hold: nothing was changed; read them again.
    public static let sceneConditionFailed = Self(rawValue: "SCENE_CONDITION_FAILED")
    /// There is no such append log, or its name is another log's by now.
    public static let logNotFound = Self(rawValue: "LOG_NOT_FOUND")
    /// The log keeps its old messages and has no room for the new ones: none was appended.
    public static let logFull = Self(rawValue: "LOG_FULL")
    /// A message would not fit the log if it were empty: none was appended.
    public static let logMessageTooLarge = Self(rawValue: "LOG_MESSAGE_TOO_LARGE")
    /// The log was made with another configuration than the writer's.
    public static let logNotWritable = Self(rawValue: "LOG_NOT_WRITABLE")
    /// There is no file of this path, or a directory has it.
    public static let fileNotFound = Self(rawValue: "FILE_NOT_FOUND")
    /// There is no directory of this path, or a file has it.
    public static let directoryNotFound = Self(rawValue: "DIRECTORY_NOT_FOUND")
    /// The directory that a path lies in is not there.
    public static let parentDirectoryNotFound = Self(rawValue: "PARENT_DIRECTORY_NOT_FOUND")
    /// The directory holds something, and was to be removed only if it is empty.
    public static let directoryNotEmpty = Self(rawValue: "DIRECTORY_NOT_EMPTY")
    /// The file is another one than was read before, or has been written since; or since a write in pieces began, which
    /// left it as it is. Begin again.
    public static let fileChanged = Self(rawValue: "FILE_CHANGED")
    /// The file's content is not on the disk as it was written; the rest of the store is as usable as before.
    public static let fileDamaged = Self(rawValue: "FILE_DAMAGED")
    /// The search index is being made anew, or made no sense and was given up: messages are all there, and searches in
    /// one conversation mostly go on.
    public static let searchIndexIncomplete = Self(rawValue: "SEARCH_INDEX_INCOMPLETE")
    /// No such write runs: it ended, failed, was a minute unused, or the store was locked.
    public static let fileWriteNotFound = Self(rawValue: "FILE_WRITE_NOT_FOUND")
    /// As many writes in pieces run as allowed; try again later.
    public static let tooManyFileWrites = Self(rawValue: "TOO_MANY_FILE_WRITES")
    /// The area of the vault may hold so many bytes, and these do not fit: nothing was written. Remove what it holds.
    public static let fileQuotaExceeded = Self(rawValue: "FILE_QUOTA_EXCEEDED")
    /// Changes after the given revision are no longer kept; read the data itself again.
    public static let changesCompacted = Self(rawValue: "CHANGES_COMPACTED")
    /// The given revision lies in the future of this store: it was replaced. Read the data itself again.
    public static let revisionAhead = Self(rawValue: "REVISION_AHEAD")
    /// The watcher did not take its events in time; watch again after the last revision it got.
    public static let watchBacklogExceeded = Self(rawValue: "WATCH_BACKLOG_EXCEEDED")
    /// The store has another history than the call is about: a backup took its place, or commits at its end were lost.
    /// Nothing was changed; read the data itself again.
    public static let historyChanged = Self(rawValue: "HISTORY_CHANGED")
}

/// Reasons of the daemon: the state of the store, its keys and backups.
extension StoreClientError.Reason {
    /// There is no store yet; `initializeStore` makes one.
    public static let storeAbsent = Self(rawValue: "STORE_ABSENT")
    /// There is a store already.
    public static let storeExists = Self(rawValue: "STORE_EXISTS")
    /// The store is locked; `unlock` opens it.
    public static let storeLocked = Self(rawValue: "STORE_LOCKED")
    /// The store is open already.
    public static let storeAlreadyOpen = Self(rawValue: "STORE_ALREADY_OPEN")
    /// Other work on the whole store is under way, or holds its files for a moment; try again later.
    public static let storeBusy = Self(rawValue: "STORE_BUSY")
    /// The disk is full: nothing was written. Reads and deletes still work.
    public static let diskFull = Self(rawValue: "DISK_FULL")
    /// The file that holds the key slots is damaged; nothing was touched.
    public static let keyringDamaged = Self(rawValue: "KEYRING_DAMAGED")
    /// The database, or the part of it that was asked for, is damaged.
    public static let databaseDamaged = Self(rawValue: "DATABASE_DAMAGED")
    /// The journal is not as it was written: what was answered cannot be told from it. `unlock(secret:acceptingLoss:)`
    /// goes on without.
    public static let journalDamaged = Self(rawValue: "JOURNAL_DAMAGED")
    /// The database is older than what was answered, or another one. As above.
    public static let storeRolledBack = Self(rawValue: "STORE_ROLLED_BACK")
    /// The store was written by a newer daemon; nothing was touched.
    public static let newerSchema = Self(rawValue: "NEWER_SCHEMA")
    /// The operating system refused the daemon a file operation.
    public static let storageFailed = Self(rawValue: "STORAGE_FAILED")
    /// The secret opens no slot of the keyring.
    public static let wrongKey = Self(rawValue: "WRONG_KEY")
    /// The key that the daemon is configured with is not there.
    public static let keyMissing = Self(rawValue: "KEY_MISSING")
    /// Too many wrong passphrases; wait for `StoreClientError.retryAfter`.
    public static let unlockThrottled = Self(rawValue: "UNLOCK_THROTTLED")
    /// It is the last slot a person can use.
    public static let lastKeySlot = Self(rawValue: "LAST_KEY_SLOT")
    /// The daemon opens the store with this slot at its start; `evenIfConfigured` removes it anyway.
    public static let keySlotConfigured = Self(rawValue: "KEY_SLOT_CONFIGURED")
    /// There is no such key slot.
    public static let keySlotNotFound = Self(rawValue: "KEY_SLOT_NOT_FOUND")
    /// Every key slot is in use.
    public static let keySlotsFull = Self(rawValue: "KEY_SLOTS_FULL")
    /// Low-cost key derivation is not allowed by the daemon's configuration.
    public static let lowCostRefused = Self(rawValue: "LOW_COST_REFUSED")
    /// There is no such backup.
    public static let backupNotFound = Self(rawValue: "BACKUP_NOT_FOUND")
    /// The backup is damaged or no backup; the store was not touched.
    public static let backupDamaged = Self(rawValue: "BACKUP_DAMAGED")
    /// The upload of the backup is not complete.
    public static let backupIncomplete = Self(rawValue: "BACKUP_INCOMPLETE")
    /// The backup needs a secret of its own keyring.
    public static let backupKeyMissing = Self(rawValue: "BACKUP_KEY_MISSING")
    /// As many backups are kept as allowed; delete one.
    public static let tooManyBackups = Self(rawValue: "TOO_MANY_BACKUPS")
    /// The blob, or the sealed file around it, is not one or is damaged; the message names the byte.
    public static let blobDamaged = Self(rawValue: "BLOB_DAMAGED")
    /// A message of the blob has a time that the store's microseconds cannot hold; the message names the byte.
    public static let blobTimestampOutOfRange = Self(rawValue: "BLOB_TIMESTAMP_OUT_OF_RANGE")
    /// The sealed blob needs a secret, or another one or another kind than was given.
    public static let blobSecretWrong = Self(rawValue: "BLOB_SECRET_WRONG")
    /// No such export or import runs: it ended, 30 seconds unused or after an hour; the store was locked; or it was an
    /// export that kept the write-ahead log from being emptied while 48 MiB were written to it.
    public static let blobSessionNotFound = Self(rawValue: "BLOB_SESSION_NOT_FOUND")
    /// As many exports and imports run as allowed; try again later.
    public static let tooManyBlobSessions = Self(rawValue: "TOO_MANY_BLOB_SESSIONS")
    /// The archive, or the sealed file around it, is not one or is damaged; the message names the byte.
    public static let archiveDamaged = Self(rawValue: "ARCHIVE_DAMAGED")
    /// The sealed archive needs a secret, or another one or another kind than was given.
    public static let archiveSecretWrong = Self(rawValue: "ARCHIVE_SECRET_WRONG")
    /// What is restored into an empty store only was begun in one that holds something.
    public static let storeNotEmpty = Self(rawValue: "STORE_NOT_EMPTY")
    /// The store belongs to no group of stores.
    public static let replicaGroupAbsent = Self(rawValue: "REPLICA_GROUP_ABSENT")
    /// The group has no such device, or has removed it.
    public static let replicaDeviceNotFound = Self(rawValue: "REPLICA_DEVICE_NOT_FOUND")
    /// A backup took the store's place, which makes it another device than its group knows.
    public static let replicaDeviceChanged = Self(rawValue: "REPLICA_DEVICE_CHANGED")
    /// The store belongs to a replica group, and a clear would take it out of the group, which was not asked for.
    public static let storeInReplicaGroup = Self(rawValue: "STORE_IN_REPLICA_GROUP")
}
