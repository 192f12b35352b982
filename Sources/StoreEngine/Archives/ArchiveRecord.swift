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

package typealias ArchivedContact = WholeContact

package typealias ArchivedConversation = WholeConversation

/// A message of the conversation before it.
package typealias ArchivedMessage = WholeMessage

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

package typealias ArchivedDraft = WholeDraft

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
