/// A backup kept by the daemon: an encrypted copy of the store together with its keyring.
public struct Backup: Hashable, Sendable, Codable {
    /// Where a backup comes from.
    public enum Kind: String, Hashable, Sendable, CaseIterable, Codable {
        /// By `createBackup`.
        case made
        /// By `beginBackupUpload` and `writeBackup`.
        case uploaded
        /// No backup, but the store that was there before the last restore. It takes room and can be deleted, nothing
        /// else.
        case replacedStore
        /// Of a kind this client does not know yet.
        case unknown
    }

    /// Where it comes from.
    public var kind: Kind
    /// Given by the daemon; what the other calls take.
    public var name: String
    /// A later backup has a greater number, whatever the clock said; 0 if it is not known.
    public var number: UInt64
    /// Size of its file, in bytes; of an upload, what has arrived.
    public var bytes: UInt64
    /// When it was made or its upload begun. Of the replaced store: when it was replaced.
    public var createdAt: Timestamp
    /// The store's revision that it holds; 0 where it is not known.
    public var revision: UInt64
    /// False for an upload that is not complete yet, and for a made backup that does not end as one does.
    public var isComplete: Bool

    /// For tests and previews: the calls of a client make their own.
    public init(
        kind: Kind, name: String, number: UInt64 = 0, bytes: UInt64, createdAt: Timestamp, revision: UInt64,
        isComplete: Bool = true
    ) {
        self.kind = kind
        self.name = name
        self.number = number
        self.bytes = bytes
        self.createdAt = createdAt
        self.revision = revision
        self.isComplete = isComplete
    }
}

/// A part of a backup's bytes.
public struct BackupChunk: Hashable, Sendable {
    /// The bytes, as many as were asked for; fewer at the end.
    public var data: [UInt8]
    /// Size of the whole backup.
    public var totalBytes: UInt64

    /// For tests and previews: the calls of a client make their own.
    public init(data: [UInt8], totalBytes: UInt64) {
        self.data = data
        self.totalBytes = totalBytes
    }
}

/// What reading every page and row of a backup found.
public struct BackupReport: Hashable, Sendable, Codable {
    /// Whether nothing is wrong.
    public var isClean: Bool
    /// What is wrong, at most 100 lines, without content.
    public var findings: [String]
    /// Counts of what the backup holds.
    public var statistics: Statistics

    /// For tests and previews: the calls of a client make their own.
    public init(isClean: Bool = true, findings: [String] = [], statistics: Statistics) {
        self.isClean = isClean
        self.findings = findings
        self.statistics = statistics
    }
}
