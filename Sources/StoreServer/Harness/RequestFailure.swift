import StoreEngine
import StoreProtocol

/// Why a request is refused, as the wire tells it.
struct RequestFailure: Error, Hashable, Sendable {
    let reason: ErrorReason
    /// Lower case, cause first, then a hint. Never holds content or key material.
    let message: String
    var retryAfterMilliseconds: UInt64?

    init(_ reason: ErrorReason, _ message: String, retryAfterMilliseconds: UInt64? = nil) {
        self.reason = reason
        self.message = message
        self.retryAfterMilliseconds = retryAfterMilliseconds
    }

    init(_ error: StoreError) {
        self.init(
            ErrorReason(error.reason), error.message, retryAfterMilliseconds: error.retryAfterMilliseconds)
    }

    static var malformedCall: RequestFailure {
        RequestFailure(.requestMalformed, "the message of the call is not valid protobuf")
    }

    /// Proposes the rule that grants least. Which entry the call is about is not said: a name is content, and is not
    /// read before the right is known.
    ///
    /// - Parameters:
    ///   - isLimited: whether a right to entries of some name would do.
    ///   - part: to what part of the call it applies.
    static func permissionDenied(
        _ kind: CallKind, isLimited: Bool, _ part: String = "", uid: UInt32
    ) -> RequestFailure {
        let requirement = kind.rule.requirement
        let entry = isLimited ? kind.rule.proposedEntry : nil
        let rule = "\"user:\(uid) \(requirement.ruleText(entry?.pattern))\""
        return RequestFailure(
            .permissionDenied,
            """
            user \(uid) has no right to \(kind.name)\(part); hint: add an access rule to ghoststored.yaml, such \
            as \(rule)\(entry.map { " for \($0.meaning)" } ?? "")
            """)
    }

    static func invalidArgument(_ message: String) -> RequestFailure {
        RequestFailure(.invalidArgument, message)
    }

    static func answerTooLarge(forFrameOf bytes: Int) -> RequestFailure {
        RequestFailure(
            .responseTooLarge, "the answer is larger than a frame of \(bytes) bytes; request less at once")
    }
}

extension CallRule {
    /// The narrowest pattern of names that grants the call, and what that means.
    fileprivate var proposedEntry: (pattern: String, meaning: String)? {
        requirement.namedEntry.map { (names.pattern, names.meaning($0)) }
    }
}

extension ErrorReason {
    /// The one place where the engine's reasons become the wire's.
    init(_ reason: StoreError.Reason) {
        switch reason {
        case .invalidArgument: self = .invalidArgument
        case .requestTooLarge: self = .requestTooLarge
        case .conversationNotFound: self = .conversationNotFound
        case .messageNotFound: self = .messageNotFound
        case .tooManyReactions: self = .tooManyReactions
        case .attachmentNotFound: self = .attachmentNotFound
        case .attachmentContentNotFound: self = .attachmentContentNotFound
        case .attachmentEvicted: self = .attachmentEvicted
        case .contactNotFound: self = .contactNotFound
        case .alreadyExists: self = .alreadyExists
        case .sceneNotFound: self = .sceneNotFound
        case .sceneConditionFailed: self = .sceneConditionFailed
        case .logNotFound: self = .logNotFound
        case .logFull: self = .logFull
        case .logMessageTooLarge: self = .logMessageTooLarge
        case .logNotWritable: self = .logNotWritable
        case .fileNotFound: self = .fileNotFound
        case .directoryNotFound: self = .directoryNotFound
        case .parentDirectoryNotFound: self = .parentDirectoryNotFound
        case .directoryNotEmpty: self = .directoryNotEmpty
        case .fileDamaged: self = .fileDamaged
        case .fileChanged: self = .fileChanged
        case .fileWriteNotFound: self = .fileWriteNotFound
        case .tooManyFileWrites: self = .tooManyFileWrites
        case .fileQuotaExceeded: self = .fileQuotaExceeded
        case .idempotencyKeyReused: self = .idempotencyKeyReused
        case .searchIndexIncomplete: self = .searchIndexIncomplete
        case .responseTooLarge: self = .responseTooLarge
        case .changesCompacted: self = .changesCompacted
        case .revisionAhead: self = .revisionAhead
        case .historyChanged: self = .historyChanged
        case .deadlineExceeded: self = .deadlineExceeded
        case .queueFull: self = .queueFull
        case .diskFull: self = .diskFull
        case .storeAbsent: self = .storeAbsent
        case .storeExists: self = .storeExists
        case .storeLocked: self = .storeLocked
        case .storeAlreadyOpen: self = .storeAlreadyOpen
        case .storeBusy: self = .storeBusy
        case .wrongKey: self = .wrongKey
        case .keyMissing: self = .keyMissing
        case .unlockThrottled: self = .unlockThrottled
        case .keyringDamaged: self = .keyringDamaged
        case .databaseDamaged: self = .databaseDamaged
        case .journalDamaged: self = .journalDamaged
        case .storeRolledBack: self = .storeRolledBack
        case .newerSchema: self = .newerSchema
        case .storageFailed: self = .storageFailed
        case .shuttingDown: self = .shuttingDown
        case .lastKeySlot: self = .lastKeySlot
        case .keySlotConfigured: self = .keySlotConfigured
        case .keySlotNotFound: self = .keySlotNotFound
        case .keySlotsFull: self = .keySlotsFull
        case .lowCostRefused: self = .lowCostRefused
        case .backupNotFound: self = .backupNotFound
        case .backupDamaged: self = .backupDamaged
        case .backupIncomplete: self = .backupIncomplete
        case .backupKeyMissing: self = .backupKeyMissing
        case .tooManyBackups: self = .tooManyBackups
        case .blobDamaged: self = .blobDamaged
        case .blobTimestampOutOfRange: self = .blobTimestampOutOfRange
        case .blobSecretWrong: self = .blobSecretWrong
        case .blobSessionNotFound: self = .blobSessionNotFound
        case .tooManyBlobSessions: self = .tooManyBlobSessions
        case .archiveDamaged: self = .archiveDamaged
        case .archiveSecretWrong: self = .archiveSecretWrong
        case .storeNotEmpty: self = .storeNotEmpty
        case .replicaGroupAbsent: self = .replicaGroupAbsent
        case .replicaDeviceNotFound: self = .replicaDeviceNotFound
        case .replicaDeviceChanged: self = .replicaDeviceChanged
        case .storeInReplicaGroup: self = .storeInReplicaGroup
        case .internal: self = .internal
        }
    }
}
