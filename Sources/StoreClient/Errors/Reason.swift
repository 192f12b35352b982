extension StoreClientError {
    /// A stable UPPER_SNAKE word. The daemon's are listed in proto-docs/ERRORS.md; a newer daemon may send others.
    public struct Reason: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

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
    /// The connection ended after the call was sent: whether it took effect is not known.
    public static let connectionLost = Self(rawValue: "CONNECTION_LOST")
    /// The client was closed.
    public static let clientClosed = Self(rawValue: "CLIENT_CLOSED")
    /// The calling task was cancelled. A call that was already sent may still take effect.
    public static let cancelled = Self(rawValue: "CANCELLED")
    /// The deadline passed, here or in the daemon. A mutation may still have taken effect when it passed here.
    public static let deadlineExceeded = Self(rawValue: "DEADLINE_EXCEEDED")
    /// More calls wait for their turn than `ClientConfiguration.waitingCallsMax`.
    public static let tooManyWaitingCalls = Self(rawValue: "TOO_MANY_WAITING_CALLS")
    /// The request is larger than the largest frame the daemon takes.
    public static let requestTooLarge = Self(rawValue: "REQUEST_TOO_LARGE")
    /// What came is not an answer of the protocol, or not one to this call. Bytes that cannot be told to belong to one
    /// call end every call that waits for its answer on the connection. A mutation may have taken effect.
    public static let answerUnreadable = Self(rawValue: "ANSWER_UNREADABLE")
    /// A file, descriptor or terminal could not be read or written.
    public static let inputOutputFailed = Self(rawValue: "INPUT_OUTPUT_FAILED")
    /// Text that is not the protobuf JSON of a request or response.
    public static let jsonUnreadable = Self(rawValue: "JSON_UNREADABLE")
}

/// Reasons of the daemon that programs often decide on.
extension StoreClientError.Reason {
    public static let invalidArgument = Self(rawValue: "INVALID_ARGUMENT")
    public static let conversationNotFound = Self(rawValue: "CONVERSATION_NOT_FOUND")
    public static let messageNotFound = Self(rawValue: "MESSAGE_NOT_FOUND")
    public static let contactNotFound = Self(rawValue: "CONTACT_NOT_FOUND")
    public static let sceneNotFound = Self(rawValue: "SCENE_NOT_FOUND")
    public static let sceneConditionFailed = Self(rawValue: "SCENE_CONDITION_FAILED")
    public static let logNotFound = Self(rawValue: "LOG_NOT_FOUND")
    public static let logFull = Self(rawValue: "LOG_FULL")
    public static let logMessageTooLarge = Self(rawValue: "LOG_MESSAGE_TOO_LARGE")
    public static let logNotWritable = Self(rawValue: "LOG_NOT_WRITABLE")
    public static let responseTooLarge = Self(rawValue: "RESPONSE_TOO_LARGE")
    public static let permissionDenied = Self(rawValue: "PERMISSION_DENIED")
    public static let alreadyExists = Self(rawValue: "ALREADY_EXISTS")
    public static let idempotencyKeyReused = Self(rawValue: "IDEMPOTENCY_KEY_REUSED")
    public static let changesCompacted = Self(rawValue: "CHANGES_COMPACTED")
    public static let watchBacklogExceeded = Self(rawValue: "WATCH_BACKLOG_EXCEEDED")
    public static let diskFull = Self(rawValue: "DISK_FULL")
    public static let storeAbsent = Self(rawValue: "STORE_ABSENT")
    public static let storeExists = Self(rawValue: "STORE_EXISTS")
    public static let storeLocked = Self(rawValue: "STORE_LOCKED")
    public static let storeAlreadyOpen = Self(rawValue: "STORE_ALREADY_OPEN")
    public static let wrongKey = Self(rawValue: "WRONG_KEY")
    public static let unlockThrottled = Self(rawValue: "UNLOCK_THROTTLED")
    public static let lastKeySlot = Self(rawValue: "LAST_KEY_SLOT")
    public static let keySlotNotFound = Self(rawValue: "KEY_SLOT_NOT_FOUND")
    public static let backupNotFound = Self(rawValue: "BACKUP_NOT_FOUND")
    public static let blobDamaged = Self(rawValue: "BLOB_DAMAGED")
    public static let blobSecretWrong = Self(rawValue: "BLOB_SECRET_WRONG")
    public static let blobSessionNotFound = Self(rawValue: "BLOB_SESSION_NOT_FOUND")
    public static let tooManyBlobSessions = Self(rawValue: "TOO_MANY_BLOB_SESSIONS")
    public static let shuttingDown = Self(rawValue: "SHUTTING_DOWN")
}
