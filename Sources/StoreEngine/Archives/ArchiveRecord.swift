package import StoreBasics

/// A record as it stands in an archive.
package struct ArchiveEntry: Hashable, Sendable {
    package var record: ArchiveRecord
    /// In an archive of changes, of what was changed since: when the last change of it was committed.
    package var changedAt: Timestamp?

    package init(_ record: ArchiveRecord, changedAt: Timestamp? = nil) {
        self.record = record
        self.changedAt = changedAt
    }
}

/// One record of an archive: all that the store holds of a thing, so that it can be made again elsewhere. What hangs on
/// something follows it: messages their conversation, reactions their message, entries their log, pieces of a content
/// their file (proto-docs/ARCHIVE.md).
package enum ArchiveRecord: Hashable, Sendable {
    case header(ArchiveHeader)
    /// Of attachments.
    case content(ArchivedContent)
    case contact(ArchivedContact)
    case conversation(ArchivedConversation)
    case message(ArchivedMessage)
    case reaction(ArchivedReaction)
    case draft(ArchivedDraft)
    case sceneValue(ArchivedSceneValue)
    case log(ArchivedLog)
    case logEntry(ArchivedLogEntry)
    case directory(ArchivedDirectory)
    case file(ArchivedFile)
    case filePiece([UInt8])
    case removal(ArchivedRemoval)
    case footer(ArchiveFooter)
}

/// What an archive is of.
package struct ArchiveHeader: Hashable, Sendable {
    package static let formatVersion: UInt32 = 1

    package var history: HistoryID
    /// The store's revision at the moment that the archive shows.
    package var revision: UInt64
    package var createdAt: Timestamp
    /// 0: everything is in it. Else an archive of changes: what was made, changed or removed after this revision.
    package var sinceRevision: UInt64

    package init(history: HistoryID, revision: UInt64, createdAt: Timestamp, sinceRevision: UInt64 = 0) {
        self.history = history
        self.revision = revision
        self.createdAt = createdAt
        self.sinceRevision = sinceRevision
    }

    var isOfChanges: Bool { sinceRevision > 0 }
}

package struct ArchivedContact: Hashable, Sendable {
    package var id: EntityID
    package var sessionID: SessionID
    package var displayName: String?
    package var avatar: [UInt8]?
    package var notes: String?
    package var isBlocked: Bool
    package var isTrusted: Bool
    package var createdAt: Timestamp
    package var updatedAt: Timestamp

    package init(
        id: EntityID, sessionID: SessionID, displayName: String?, avatar: [UInt8]?, notes: String?, isBlocked: Bool,
        isTrusted: Bool, createdAt: Timestamp, updatedAt: Timestamp
    ) {
        self.id = id
        self.sessionID = sessionID
        self.displayName = displayName
        self.avatar = avatar
        self.notes = notes
        self.isBlocked = isBlocked
        self.isTrusted = isTrusted
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}

package struct ArchivedConversation: Hashable, Sendable {
    package var id: EntityID
    package var sessionID: SessionID
    package var displayName: String?
    package var avatar: [UInt8]?
    package var isPinned: Bool
    package var isMuted: Bool
    package var retention: ConversationRetention
    package var createdAt: Timestamp
    package var updatedAt: Timestamp

    package init(
        id: EntityID, sessionID: SessionID, displayName: String?, avatar: [UInt8]?, isPinned: Bool, isMuted: Bool,
        retention: ConversationRetention, createdAt: Timestamp, updatedAt: Timestamp
    ) {
        self.id = id
        self.sessionID = sessionID
        self.displayName = displayName
        self.avatar = avatar
        self.isPinned = isPinned
        self.isMuted = isMuted
        self.retention = retention
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}

/// A message of the conversation before it.
package struct ArchivedMessage: Hashable, Sendable {
    package var id: EntityID
    package var text: String
    package var senderSessionID: String
    package var recipientSessionID: String
    package var timestamp: Timestamp
    package var status: MessageStatus
    package var isOutgoing: Bool
    package var isRead: Bool
    package var attachmentURL: String?
    package var attachmentType: String?
    package var replyToMessageID: EntityID?
    package var createdAt: Timestamp
    package var editedAt: Timestamp?
    package var timer: MessageTimer?
    /// When it goes, by the wall clock; `nil` while its timer does not run.
    package var expiresAt: Timestamp?
    package var attachments: [NewAttachment]
    /// Fields of a later version, in the form of `TaggedFields.unknown`.
    package var unknownFields: [UInt8]

    package init(
        id: EntityID, text: String, senderSessionID: String, recipientSessionID: String, timestamp: Timestamp,
        status: MessageStatus, isOutgoing: Bool, isRead: Bool, attachmentURL: String?, attachmentType: String?,
        replyToMessageID: EntityID?, createdAt: Timestamp, editedAt: Timestamp?, timer: MessageTimer?,
        expiresAt: Timestamp?, attachments: [NewAttachment] = [], unknownFields: [UInt8] = []
    ) {
        self.id = id
        self.text = text
        self.senderSessionID = senderSessionID
        self.recipientSessionID = recipientSessionID
        self.timestamp = timestamp
        self.status = status
        self.isOutgoing = isOutgoing
        self.isRead = isRead
        self.attachmentURL = attachmentURL
        self.attachmentType = attachmentType
        self.replyToMessageID = replyToMessageID
        self.createdAt = createdAt
        self.editedAt = editedAt
        self.timer = timer
        self.expiresAt = expiresAt
        self.attachments = attachments
        self.unknownFields = unknownFields
    }
}

/// A reaction to the message before it.
package struct ArchivedReaction: Hashable, Sendable {
    package var authorSessionID: SessionID
    package var emoji: Emoji
    package var createdAt: Timestamp

    package init(authorSessionID: SessionID, emoji: Emoji, createdAt: Timestamp) {
        self.authorSessionID = authorSessionID
        self.emoji = emoji
        self.createdAt = createdAt
    }
}

package struct ArchivedDraft: Hashable, Sendable {
    /// Of its conversation.
    package var sessionID: SessionID
    package var content: DraftContent
    package var attachments: [NewAttachment]
    package var updatedAt: Timestamp

    package init(
        sessionID: SessionID, content: DraftContent, attachments: [NewAttachment] = [], updatedAt: Timestamp
    ) {
        self.sessionID = sessionID
        self.content = content
        self.attachments = attachments
        self.updatedAt = updatedAt
    }
}

package struct ArchivedSceneValue: Hashable, Sendable {
    /// `nil`: the global tier.
    package var scene: SceneName?
    package var key: SceneKey
    /// Canonical bytes, as `SceneChange` has them.
    package var value: [UInt8]
    package var updatedAt: Timestamp

    package init(scene: SceneName?, key: SceneKey, value: [UInt8], updatedAt: Timestamp) {
        self.scene = scene
        self.key = key
        self.value = value
        self.updatedAt = updatedAt
    }
}

package struct ArchivedLog: Hashable, Sendable {
    package var name: LogName
    package var configuration: LogConfiguration
    package var isReplicated: Bool
    package var createdAt: Timestamp
    /// In an archive of changes, of the oldest entry that it has; `nil` where it has none.
    package var oldestSequence: UInt64?

    package init(
        name: LogName, configuration: LogConfiguration, isReplicated: Bool = false, createdAt: Timestamp,
        oldestSequence: UInt64? = nil
    ) {
        self.name = name
        self.configuration = configuration
        self.isReplicated = isReplicated
        self.createdAt = createdAt
        self.oldestSequence = oldestSequence
    }
}

/// A message of the log before it.
package struct ArchivedLogEntry: Hashable, Sendable {
    package var sequence: UInt64
    /// Where it stands in the file that the log would be.
    package var offset: UInt64
    /// Bytes of all messages ever appended before it, with their lengths.
    package var position: UInt64
    package var data: [UInt8]

    package init(sequence: UInt64, offset: UInt64, position: UInt64, data: [UInt8]) {
        self.sequence = sequence
        self.offset = offset
        self.position = position
        self.data = data
    }
}

package struct ArchivedDirectory: Hashable, Sendable {
    package var path: FilePath
    package var createdAt: Timestamp
    package var modifiedAt: Timestamp

    package init(path: FilePath, createdAt: Timestamp, modifiedAt: Timestamp) {
        self.path = path
        self.createdAt = createdAt
        self.modifiedAt = modifiedAt
    }
}

/// A file, whose content follows in pieces.
package struct ArchivedFile: Hashable, Sendable {
    package var path: FilePath
    package var byteCount: UInt64
    package var createdAt: Timestamp
    package var modifiedAt: Timestamp

    package init(path: FilePath, byteCount: UInt64, createdAt: Timestamp, modifiedAt: Timestamp) {
        self.path = path
        self.byteCount = byteCount
        self.createdAt = createdAt
        self.modifiedAt = modifiedAt
    }
}

/// A content of attachments, whose bytes follow in pieces.
package struct ArchivedContent: Hashable, Sendable {
    package var digest: AttachmentDigest
    package var byteCount: UInt64

    package init(digest: AttachmentDigest, byteCount: UInt64) {
        self.digest = digest
        self.byteCount = byteCount
    }
}

/// What tells that an archive is whole.
package struct ArchiveFooter: Hashable, Sendable {
    package var counts: ArchiveCounts
    /// BLAKE2b-256 of every byte before the footer's own record; empty where who made the archive could not tell.
    package var digest: [UInt8]

    package init(counts: ArchiveCounts, digest: [UInt8]) {
        self.counts = counts
        self.digest = digest
    }
}
