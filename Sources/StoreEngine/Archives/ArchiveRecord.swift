package import StoreBasics

/// A record of an archive, with the time of the last change.
package struct ArchiveEntry: Hashable, Sendable {
    package var record: ArchiveRecord
    /// The time at which the last change of the recorded thing was committed. `nil` in a full archive, and in an
    /// archive of changes if the thing is included only because another thing depends on it.
    package var changedAt: Timestamp?

    package init(_ record: ArchiveRecord, changedAt: Timestamp? = nil) {
        self.record = record
        self.changedAt = changedAt
    }
}

/// One record of an archive: everything that the store has of a thing, so that the thing can be created again
/// elsewhere. A dependent record comes after the record that it depends on: messages after their conversation,
/// reactions after their message, entries after their log, and pieces after the file or content of attachments to which
/// they belong (proto-docs/ARCHIVE.md).
package enum ArchiveRecord: Hashable, Sendable {
    case header(ArchiveHeader)
    /// A content of attachments.
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

/// A message of the preceding conversation.
package typealias ArchivedMessage = WholeMessage

/// A reaction to the preceding message.
package typealias ArchivedReaction = WholeReaction

package typealias ArchivedDraft = WholeDraft

package typealias ArchivedSceneValue = WholeSceneValue

package typealias ArchivedLog = WholeLog

/// The first record, which describes the archive.
package struct ArchiveHeader: Hashable, Sendable {
    package static let formatVersion: UInt32 = 1

    package var history: HistoryID
    /// The store's revision at the time at which the archive was made.
    package var revision: UInt64
    package var createdAt: Timestamp
    /// The revision after which an archive of changes begins; 0 for an archive with everything.
    package var sinceRevision: UInt64 = 0

    var isOfChanges: Bool { sinceRevision > 0 }
}

/// An entry of the preceding log.
package struct ArchivedLogEntry: Hashable, Sendable {
    package var sequence: UInt64
    /// The offset at which the entry would begin if the log were a CacheAdvance file (`LogConfiguration.maximumBytes`).
    package var offset: UInt64
    /// The number of bytes of all entries that were ever appended before this one (`LogEntrySize`).
    package var position: UInt64
    package var data: [UInt8]
    package var metadata: Metadata?
}

package struct ArchivedDirectory: Hashable, Sendable {
    package var path: FilePath
    package var createdAt: Timestamp
    package var modifiedAt: Timestamp
}

/// A file. The following records contain its content in pieces.
package struct ArchivedFile: Hashable, Sendable {
    package var path: FilePath
    package var byteCount: UInt64
    package var createdAt: Timestamp
    package var modifiedAt: Timestamp
}

/// A content of attachments. The following records contain its bytes in pieces.
package struct ArchivedContent: Hashable, Sendable {
    package var digest: AttachmentDigest
    package var byteCount: UInt64
}

/// The last record, which shows that an archive is complete.
package struct ArchiveFooter: Hashable, Sendable {
    package var counts: ArchiveCounts
    /// The BLAKE2b-256 of every byte before the footer's own record; empty if the author of the archive could not
    /// compute it.
    package var digest: [UInt8]
}
