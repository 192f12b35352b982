/// What is fixed for each reason: its canonical code, whether repeating the same request may help, and what it means.
package struct ErrorRule: Hashable, Sendable {
    package let code: WireErrorCode
    /// The same request may succeed later without a change to it or to the store by the caller.
    package let isRetryable: Bool
    /// One line for proto-docs/ERRORS.md.
    package let meaning: String

    fileprivate init(_ code: WireErrorCode, retryable: Bool = false, _ meaning: String) {
        self.code = code
        self.isRetryable = retryable
        self.meaning = meaning
    }
}

extension ErrorReason {
    package var rule: ErrorRule {
        requestRule ?? limitRule ?? dataRule ?? storeRule ?? keyRule ?? backupRule ?? logRule ?? blobRule
            ?? ErrorRule(.internal, "A fault of the daemon; its log says more.")
    }

    package var code: WireErrorCode {
        rule.code
    }

    private var requestRule: ErrorRule? {
        switch self {
        case .frameEmpty:
            ErrorRule(.invalidArgument, "A frame's length is 0. The connection is closed.")
        case .frameTooLarge:
            ErrorRule(
                .resourceExhausted, "A frame's length is above the daemon's maximum. The connection is closed.")
        case .frameTruncated:
            ErrorRule(
                .invalidArgument, "The peer closed its sending side in the middle of a frame. The connection is closed."
            )
        case .frameTimeout:
            ErrorRule(
                .deadlineExceeded, "A frame was begun and not sent to its end in time. The connection is closed.")
        case .requestMalformed:
            ErrorRule(
                .invalidArgument, "The payload is not a Request, names two calls, or gives a secret twice.")
        case .requestTooLarge:
            ErrorRule(.resourceExhausted, "The request has more bytes or entries than its call takes.")
        case .requestIDInUse:
            ErrorRule(
                .alreadyExists, "A watch, or a read that waits for a log, with this request id runs on this connection."
            )
        case .callUnknown:
            ErrorRule(.unimplemented, "The request names no call this daemon knows.")
        case .invalidArgument:
            ErrorRule(.invalidArgument, "A field of the call is missing or out of its range; the message says which.")
        case .deadlineExceeded:
            ErrorRule(
                .deadlineExceeded, retryable: true,
                "The work was not begun before the request's deadline and has had no effect.")
        case .idempotencyKeyReused:
            ErrorRule(
                .alreadyExists,
                "The idempotency key was used for another call, or for another entity; nothing was changed.")
        case .responseTooLarge:
            ErrorRule(.resourceExhausted, "The answer does not fit a frame; ask for less at once.")
        case .permissionDenied:
            ErrorRule(.permissionDenied, "The caller's user and groups have no right to this call.")
        default: nil
        }
    }

    private var limitRule: ErrorRule? {
        switch self {
        case .tooManyConnections:
            ErrorRule(
                .resourceExhausted, retryable: true,
                "The daemon, or the caller's user, has as many connections as allowed. The connection is closed.")
        case .tooManyWatches:
            ErrorRule(.resourceExhausted, "The connection has as many watches as allowed.")
        case .memoryExhausted:
            ErrorRule(
                .resourceExhausted, retryable: true,
                "Large requests and answers under way hold as much memory as allowed.")
        case .queueFull:
            ErrorRule(.resourceExhausted, retryable: true, "More work is waiting than the daemon queues.")
        case .shuttingDown:
            ErrorRule(.unavailable, retryable: true, "The daemon is stopping; connect again in a moment.")
        default: nil
        }
    }

    private var dataRule: ErrorRule? {
        switch self {
        case .conversationNotFound:
            ErrorRule(.notFound, "There is no such conversation.")
        case .messageNotFound:
            ErrorRule(.notFound, "There is no such message.")
        case .contactNotFound:
            ErrorRule(.notFound, "There is no such contact.")
        case .alreadyExists:
            ErrorRule(.alreadyExists, "The id or session id given for a new entity is taken by another.")
        case .sceneNotFound:
            ErrorRule(.notFound, "The scene has no values of its own.")
        case .sceneConditionFailed:
            ErrorRule(.aborted, "A condition on a scene's values does not hold: nothing was changed; read them again.")
        case .changesCompacted:
            ErrorRule(
                .outOfRange, "Changes after the given revision are no longer kept; read the data itself again.")
        case .revisionAhead:
            ErrorRule(
                .outOfRange,
                "The given revision lies in the future of this store; it was replaced, read the data itself again.")
        case .watchBacklogExceeded:
            ErrorRule(
                .resourceExhausted, retryable: true,
                "The watcher did not take its events in time; watch again after the last revision it got.")
        case .storeReplaced:
            ErrorRule(.aborted, "A backup took the store's place; read the data itself again.")
        default: nil
        }
    }

    private var storeRule: ErrorRule? {
        switch self {
        case .storeAbsent:
            ErrorRule(.failedPrecondition, "There is no store yet; initialize_store makes one.")
        case .storeExists:
            ErrorRule(.failedPrecondition, "There is a store already.")
        case .storeLocked:
            ErrorRule(.failedPrecondition, "The store is locked; unlock opens it.")
        case .storeAlreadyOpen:
            ErrorRule(.failedPrecondition, "The store is open already.")
        case .storeBusy:
            ErrorRule(
                .unavailable, retryable: true,
                "Other work on the whole store is under way, or holds its files for a moment.")
        case .diskFull:
            ErrorRule(
                .resourceExhausted, retryable: true,
                "The disk is full: nothing was written. Reads and deletes still work.")
        case .keyringDamaged:
            ErrorRule(.dataLoss, "The keyring file is damaged; nothing was touched.")
        case .databaseDamaged:
            ErrorRule(.dataLoss, "The database, or the part asked for, is damaged.")
        case .newerSchema:
            ErrorRule(.failedPrecondition, "The store was written by a newer daemon; nothing was touched.")
        case .storageFailed:
            ErrorRule(.internal, "The operating system refused a file operation.")
        default: nil
        }
    }

    private var keyRule: ErrorRule? {
        switch self {
        case .wrongKey:
            ErrorRule(.permissionDenied, "The secret opens no slot of the keyring.")
        case .keyMissing:
            ErrorRule(.failedPrecondition, "The key the daemon is configured with is not there.")
        case .unlockThrottled:
            ErrorRule(
                .resourceExhausted, retryable: true,
                "Too many wrong secrets; wait for details.retry_after_milliseconds.")
        case .lastKeySlot:
            ErrorRule(.failedPrecondition, "It is the last slot a person can use.")
        case .keySlotNotFound:
            ErrorRule(.notFound, "There is no such key slot.")
        case .keySlotsFull:
            ErrorRule(.resourceExhausted, "Every key slot is in use.")
        case .lowCostRefused:
            ErrorRule(.failedPrecondition, "Low-cost key derivation is not allowed by the daemon's configuration.")
        default: nil
        }
    }

    private var backupRule: ErrorRule? {
        switch self {
        case .backupNotFound:
            ErrorRule(.notFound, "There is no such backup.")
        case .backupDamaged:
            ErrorRule(.dataLoss, "The backup is damaged or not a backup; the store was not touched.")
        case .backupIncomplete:
            ErrorRule(.failedPrecondition, "The upload of the backup is not complete.")
        case .backupKeyMissing:
            ErrorRule(.failedPrecondition, "The backup needs a secret of its own keyring.")
        case .tooManyBackups:
            ErrorRule(.resourceExhausted, "As many backups are kept as allowed; delete one.")
        default: nil
        }
    }

    private var logRule: ErrorRule? {
        switch self {
        case .logNotFound:
            ErrorRule(.notFound, "There is no such append log.")
        case .logFull:
            ErrorRule(
                .failedPrecondition,
                "The log keeps its old messages and has no room for the new ones: none was appended.")
        case .logMessageTooLarge:
            ErrorRule(.invalidArgument, "A message would not fit the log if it were empty: none was appended.")
        case .logNotWritable:
            ErrorRule(.failedPrecondition, "The log was made with another configuration than the writer's.")
        default: nil
        }
    }

    private var blobRule: ErrorRule? {
        switch self {
        case .blobDamaged:
            ErrorRule(
                .invalidArgument,
                "The blob, or the sealed file around it, is not one or is damaged; the message names the byte.")
        case .blobSecretWrong:
            ErrorRule(
                .permissionDenied, "The sealed blob needs a secret, or another one or another kind than was given.")
        case .blobSessionNotFound:
            ErrorRule(
                .notFound,
                "No such export or import runs: it ended, 30 seconds unused or after an hour, or the store was locked.")
        case .tooManyBlobSessions:
            ErrorRule(
                .resourceExhausted, retryable: true, "As many exports and imports run as allowed; try again later.")
        default: nil
        }
    }
}
