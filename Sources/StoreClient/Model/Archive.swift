/// How an archive is sealed.
public enum ArchiveSeal: ~Copyable, Sendable {
    /// Not at all: the file holds plain text.
    case none
    /// With a passphrase. Low cost is for tests and needs the daemon's leave.
    case passphrase(SecretInput, lowCost: Bool)
    /// For whoever has the secret half of one of these X25519 keys: 1 to 16, of 32 bytes each.
    case recipients(publicKeys: [[UInt8]])
}

/// An archive that is being made, or a restore that runs. It ends with its last piece or report, its first error, after
/// 30 seconds without use, and when the store is locked; an archive also an hour after it began, and when it keeps the
/// write-ahead log from being emptied while 48 MiB are written to it.
public struct ArchiveSession: Hashable, Sendable {
    let number: UInt64
}

/// An archive that has begun.
public struct ArchiveExport: Hashable, Sendable {
    /// What its pieces are read with.
    public var session: ArchiveSession
    /// The store's revision at the moment that the archive shows.
    public var revision: UInt64
    /// That moment.
    public var createdAt: Timestamp
}

/// A piece of an archive.
public struct ArchivePiece: Hashable, Sendable {
    /// The bytes from the offset on that was asked for, at most `StoreClient.archivePieceBytesMax`.
    public var data: [UInt8]
    /// The file ends with this piece.
    public var isLast: Bool

    /// For tests and previews: the calls of a client make their own.
    public init(data: [UInt8], isLast: Bool = false) {
        self.data = data
        self.isLast = isLast
    }
}

/// What a restore does with the archive.
public enum ArchiveAim: String, Hashable, Sendable, Codable, CaseIterable {
    /// Reads and checks all of it, and looks at no store.
    case verify
    /// Restores into a store that holds nothing.
    case fillEmpty = "fill_empty"
    /// Restores into whatever the store holds: by id, the newer stays.
    case merge
}

/// How many things of each kind there are.
public struct ArchiveCounts: Hashable, Sendable, Codable {
    /// People.
    public var contacts: UInt64
    /// Conversations.
    public var conversations: UInt64
    /// Messages of all conversations.
    public var messages: UInt64
    /// Reactions to all messages.
    public var reactions: UInt64
    /// Drafts.
    public var drafts: UInt64
    /// Values of all scenes and of the global tier.
    public var sceneValues: UInt64
    /// Logs.
    public var logs: UInt64
    /// Messages of all logs.
    public var logEntries: UInt64
    /// Directories of the vault, the roots of its trees among them.
    public var directories: UInt64
    /// Files of the vault.
    public var files: UInt64
    /// Contents of attachments.
    public var contents: UInt64
    /// What was removed, in an archive of changes.
    public var removals: UInt64

    /// For tests and previews: the calls of a client make their own.
    public init(
        contacts: UInt64 = 0, conversations: UInt64 = 0, messages: UInt64 = 0, reactions: UInt64 = 0,
        drafts: UInt64 = 0, sceneValues: UInt64 = 0, logs: UInt64 = 0, logEntries: UInt64 = 0,
        directories: UInt64 = 0, files: UInt64 = 0, contents: UInt64 = 0, removals: UInt64 = 0
    ) {
        self.contacts = contacts
        self.conversations = conversations
        self.messages = messages
        self.reactions = reactions
        self.drafts = drafts
        self.sceneValues = sceneValues
        self.logs = logs
        self.logEntries = logEntries
        self.directories = directories
        self.files = files
        self.contents = contents
        self.removals = removals
    }
}

/// What a restore found and did.
public struct ArchiveRestoreReport: Hashable, Sendable, Codable {
    /// The history of the store that the archive is of: 32 hexadecimal digits.
    public var historyID: String
    /// The revision of that store at the moment that the archive shows.
    public var revision: UInt64
    /// That moment.
    public var createdAt: Timestamp
    /// 0: everything was archived. Else what was made, changed or removed after this revision.
    public var sinceRevision: UInt64
    /// What the archive holds.
    public var counts: ArchiveCounts
    /// What was not there.
    public var added: ArchiveCounts
    /// What is newer than what was there; of removals, what went.
    public var updated: ArchiveCounts
    /// What stays as it is: it is newer, or in the way.
    public var kept: ArchiveCounts
    /// What was there already.
    public var equal: ArchiveCounts
    /// Bytes of the archive, without what seals it.
    public var contentBytes: UInt64
    /// 64 hexadecimal digits that tell this archive from every other.
    public var contentID: String
    /// Whether nothing was changed because nothing was to be.
    public var isDryRun: Bool
    /// Whether the archive was sealed.
    public var isSealed: Bool

    /// For tests and previews: the calls of a client make their own.
    public init(
        historyID: String, revision: UInt64, createdAt: Timestamp, sinceRevision: UInt64 = 0,
        counts: ArchiveCounts = ArchiveCounts(),
        added: ArchiveCounts = ArchiveCounts(), updated: ArchiveCounts = ArchiveCounts(),
        kept: ArchiveCounts = ArchiveCounts(), equal: ArchiveCounts = ArchiveCounts(), contentBytes: UInt64,
        contentID: String, isDryRun: Bool = false, isSealed: Bool = false
    ) {
        self.historyID = historyID
        self.revision = revision
        self.createdAt = createdAt
        self.sinceRevision = sinceRevision
        self.counts = counts
        self.added = added
        self.updated = updated
        self.kept = kept
        self.equal = equal
        self.contentBytes = contentBytes
        self.contentID = contentID
        self.isDryRun = isDryRun
        self.isSealed = isSealed
    }
}
