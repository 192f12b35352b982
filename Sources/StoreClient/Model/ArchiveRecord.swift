/// One record of an archive: something that the store holds, or what stands around it (proto-docs/ARCHIVE.md).
public struct ArchiveRecord: Hashable, Sendable {
    /// What it is.
    public var item: ArchiveItem
    /// When the last change of it was committed; only in an archive of changes.
    public var changedAt: Timestamp?

    /// - Parameters:
    ///   - item: what it is.
    ///   - changedAt: when the last change of it was committed, in an archive of changes.
    public init(_ item: ArchiveItem, changedAt: Timestamp? = nil) {
        self.item = item
        self.changedAt = changedAt
    }
}

/// What a record of an archive is. What hangs on something follows it.
public enum ArchiveItem: Hashable, Sendable {
    /// The first record.
    case header(ArchiveHeader)
    /// A person.
    case contact(ArchivedContact)
    /// A conversation; its messages follow it.
    case conversation(ArchivedConversation)
    /// Of the conversation before it; its reactions follow it.
    case message(ArchivedMessage)
    /// To the message before it.
    case reaction(ArchivedReaction)
    /// What was written and not sent.
    case draft(ArchivedDraft)
    /// A value under a key of a scene.
    case sceneValue(ArchivedSceneValue)
    /// A log; its entries follow it.
    case log(ArchivedLog)
    /// Of the log before it.
    case logEntry(ArchivedLogEntry)
    /// A directory of the vault.
    case directory(ArchivedDirectory)
    /// A file of the vault; its content follows it in pieces.
    case file(ArchivedFile)
    /// The next bytes of the file or content before it.
    case filePiece([UInt8])
    /// A content of attachments; its bytes follow it in pieces.
    case content(ArchivedContent)
    /// What was removed; only in an archive of changes.
    case removal(ArchivedRemoval)
    /// The last record.
    case footer(ArchiveFooter)
}

/// What an archive is of.
public struct ArchiveHeader: Hashable, Sendable {
    /// The version of the form that this library reads and writes.
    public static let formatVersionKnown: UInt32 = 1

    /// Of the archive's form.
    public var formatVersion: UInt32
    /// The history of the store.
    public var historyID: HistoryID
    /// The store's revision at the moment that the archive shows.
    public var revision: UInt64
    /// That moment.
    public var createdAt: Timestamp
    /// An archive of changes: what was made, changed or removed after this revision; `nil`: it holds everything.
    public var sinceRevision: UInt64?

    /// - Parameters:
    ///   - formatVersion: of the archive's form.
    ///   - historyID: the history of the store.
    ///   - revision: the store's at the moment that the archive shows.
    ///   - createdAt: that moment.
    ///   - sinceRevision: of an archive of changes.
    public init(
        formatVersion: UInt32 = ArchiveHeader.formatVersionKnown, historyID: HistoryID, revision: UInt64,
        createdAt: Timestamp, sinceRevision: UInt64? = nil
    ) {
        self.formatVersion = formatVersion
        self.historyID = historyID
        self.revision = revision
        self.createdAt = createdAt
        self.sinceRevision = sinceRevision
    }
}

/// A content of attachments.
public struct ArchivedContent: Hashable, Sendable {
    /// Of its bytes, which follow in pieces.
    public var contentBytes: UInt64
    /// BLAKE2b-256 of its bytes: 64 hexadecimal digits.
    public var digest: String

    /// - Parameters:
    ///   - contentBytes: of its bytes.
    ///   - digest: 64 hexadecimal digits.
    public init(contentBytes: UInt64, digest: String) {
        self.contentBytes = contentBytes
        self.digest = digest
    }
}

/// What was removed from the store that an archive of changes is of.
public struct ArchivedRemoval: Hashable, Sendable {
    /// Of what.
    public var kind: Change.Kind
    /// As `Change.id`; of a draft and of a value of a scene the id of its conversation and its key, empty for a whole
    /// scene and for everything.
    public var id: String
    /// Of a value of a scene, and of a whole scene: the scene, `nil` for what all scenes share. Else `nil`.
    public var parentID: String?
    /// When it was removed.
    public var removedAt: Timestamp

    /// - Parameters:
    ///   - kind: of what; not `.unknown`.
    ///   - id: as `Change.id`.
    ///   - parentID: the scene.
    ///   - removedAt: when it was removed.
    public init(kind: Change.Kind, id: String, parentID: String? = nil, removedAt: Timestamp) {
        self.kind = kind
        self.id = id
        self.parentID = parentID
        self.removedAt = removedAt
    }
}

/// What an archive holds in all.
public struct ArchiveFooter: Hashable, Sendable {
    /// How many things of each kind there are.
    public var counts: ArchiveCounts
    /// BLAKE2b-256 of every byte of the archive before this record: 64 hexadecimal digits; empty in an archive that was
    /// made by hand.
    public var digest: String

    /// - Parameters:
    ///   - counts: how many things of each kind there are.
    ///   - digest: 64 hexadecimal digits, or empty.
    public init(counts: ArchiveCounts, digest: String = "") {
        self.counts = counts
        self.digest = digest
    }
}
