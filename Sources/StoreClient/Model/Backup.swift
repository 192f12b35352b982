/// A backup kept by the daemon: an encrypted copy of the store together with its keyring.
public struct Backup: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
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

    public var kind: Kind
    /// Made by the daemon.
    public var name: String
    public var bytes: UInt64
    /// Of the replaced store: when it was replaced.
    public var createdAt: Timestamp
    /// 0 where it is not known.
    public var revision: UInt64
    /// False for an upload that is not complete yet, and for a made backup that does not end as one does.
    public var isComplete: Bool
}

/// A part of a backup's bytes.
public struct BackupChunk: Hashable, Sendable {
    public var data: [UInt8]
    /// Size of the whole backup.
    public var totalBytes: UInt64
}

/// What reading every page and row of a backup found.
public struct BackupReport: Hashable, Sendable {
    public var isClean: Bool
    /// What is wrong, at most 100 lines, without content.
    public var findings: [String]
    public var statistics: Statistics
}

/// What reading every page and row of the store found.
public struct CheckReport: Hashable, Sendable {
    public var isClean: Bool
    /// What is wrong, at most 100 lines, without content.
    public var findings: [String]
    public var pagesChecked: UInt64
    public var rowsChecked: UInt64
}
