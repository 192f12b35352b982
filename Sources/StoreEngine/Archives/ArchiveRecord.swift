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

package typealias ArchivedContact = WholeContact

package typealias ArchivedConversation = WholeConversation

/// A message of the conversation before it.
package typealias ArchivedMessage = WholeMessage

/// A reaction to the message before it.
package typealias ArchivedReaction = WholeReaction

package typealias ArchivedDraft = WholeDraft

package typealias ArchivedSceneValue = WholeSceneValue

package typealias ArchivedLog = WholeLog

/// What an archive is of.
package struct ArchiveHeader: Hashable, Sendable {
    package static let formatVersion: UInt32 = 1

    package var history: HistoryID
    /// The store's revision at the moment that the archive shows.
    package var revision: UInt64
    package var createdAt: Timestamp
    /// 0: everything is in it. Else an archive of changes: what was made, changed or removed after this revision.
    package var sinceRevision: UInt64 = 0

    var isOfChanges: Bool { sinceRevision > 0 }
}

/// A message of the log before it.
package struct ArchivedLogEntry: Hashable, Sendable {
    package var sequence: UInt64
    /// Where it stands in the file that the log would be.
    package var offset: UInt64
    /// Bytes of all messages ever appended before it, with their lengths.
    package var position: UInt64
    package var data: [UInt8]
}

package struct ArchivedDirectory: Hashable, Sendable {
    package var path: FilePath
    package var createdAt: Timestamp
    package var modifiedAt: Timestamp
}

/// A file, whose content follows in pieces.
package struct ArchivedFile: Hashable, Sendable {
    package var path: FilePath
    package var byteCount: UInt64
    package var createdAt: Timestamp
    package var modifiedAt: Timestamp
}

/// A content of attachments, whose bytes follow in pieces.
package struct ArchivedContent: Hashable, Sendable {
    package var digest: AttachmentDigest
    package var byteCount: UInt64
}

/// What tells that an archive is whole.
package struct ArchiveFooter: Hashable, Sendable {
    package var counts: ArchiveCounts
    /// BLAKE2b-256 of every byte before the footer's own record; empty where who made the archive could not tell.
    package var digest: [UInt8]
}
