/// What the engine throws: an open list of reasons, a message for people and no content.
package struct StoreError: Error, Hashable, Sendable {
    /// Why. Each maps to exactly one wire reason in StoreServer.
    package enum Reason: String, Hashable, Sendable, CaseIterable {
        case invalidArgument
        /// A list of the request has more entries than it may.
        case requestTooLarge
        case conversationNotFound
        case messageNotFound
        case contactNotFound
        case alreadyExists
        case sceneNotFound
        case sceneConditionFailed
        case logNotFound
        case tooManyReactions
        case attachmentNotFound
        case attachmentContentNotFound
        case attachmentEvicted
        case logFull
        case logMessageTooLarge
        case logNotWritable
        case fileNotFound
        case directoryNotFound
        case parentDirectoryNotFound
        case directoryNotEmpty
        case fileDamaged
        case fileChanged
        case fileWriteNotFound
        case tooManyFileWrites
        case fileQuotaExceeded
        case idempotencyKeyReused
        case searchIndexIncomplete
        case responseTooLarge
        case changesCompacted
        case revisionAhead
        case historyChanged
        case deadlineExceeded
        case queueFull
        case diskFull
        // Store state
        case storeAbsent
        case storeExists
        case storeLocked
        case storeAlreadyOpen
        case storeBusy
        case wrongKey
        case keyMissing
        case unlockThrottled
        case keyringDamaged
        case databaseDamaged
        case journalDamaged
        case storeRolledBack
        case newerSchema
        case storageFailed
        case shuttingDown
        // Keys
        case lastKeySlot
        case keySlotConfigured
        case keySlotNotFound
        case keySlotsFull
        case lowCostRefused
        // Backups
        case backupNotFound
        case backupDamaged
        case backupIncomplete
        case backupKeyMissing
        case tooManyBackups
        // Blobs
        case blobDamaged
        case blobTimestampOutOfRange
        case blobSecretWrong
        case blobSessionNotFound
        case tooManyBlobSessions

        // Archives
        case archiveDamaged
        case archiveSecretWrong
        case storeNotEmpty
        // Groups of stores
        case replicaGroupAbsent
        case replicaDeviceNotFound
        case replicaDeviceChanged
        case storeInReplicaGroup
        case `internal`

        /// As answers and metrics have it, for the log: `storeRolledBack` is `STORE_ROLLED_BACK`.
        var word: String {
            rawValue.map { $0.isUppercase ? "_\($0)" : $0.uppercased() }.joined()
        }
    }

    package let reason: Reason
    /// Lower case, cause first, then a hint. Never holds content or key material.
    package let message: String
    /// The message with paths in it, for root and the daemon's own user; `nil` where `message` says all there is.
    package var hostMessage: String?
    /// With reasons that pass by themselves, such as `.unlockThrottled` and `.queueFull`: when a retry makes sense.
    package var retryAfterMilliseconds: UInt64?
    /// A change may be on disk or not, or half of it is: the process must end, and the next start settles what is
    /// there.
    package private(set) var losesDurability = false

    package init(_ reason: Reason, _ message: String, retryAfterMilliseconds: UInt64? = nil) {
        self.reason = reason
        self.message = message
        self.retryAfterMilliseconds = retryAfterMilliseconds
    }

    static var diskIsFull: StoreError {
        StoreError(.diskFull, "the disk is full; free some space and try again")
    }

    /// A failed sync of what is in use.
    static func durabilityLost(_ message: String) -> StoreError {
        var error = StoreError(.storageFailed, message)
        error.losesDurability = true
        return error
    }

    /// The one message for damage.
    ///
    /// - Parameter hint: what fits a store that is in use, unless another is given.
    static func databaseDamaged(
        _ cause: String, hint: String = "run `ghoststorectl check` and restore a backup"
    ) -> StoreError {
        StoreError(.databaseDamaged, "\(StoreFile.database) is damaged: \(cause); \(hint)")
    }

    /// This failure of work that the next start carries out or finishes: it must not be answered, since an answered
    /// failure has changed nothing, and the process must not go on with half of it.
    var settledByNextStart: StoreError {
        .durabilityLost(message)
    }

    package static func invalidArgument(_ message: String) -> StoreError {
        StoreError(.invalidArgument, message)
    }

    /// A list of the request has more entries than it may.
    package static func tooMany(_ count: Int, _ entries: String, countMax: Int) -> StoreError {
        StoreError(
            .requestTooLarge, "the request has \(count) \(entries); the limit is \(countMax); send several requests")
    }
}

extension StoreError: CustomStringConvertible {
    package var description: String {
        message
    }
}
