/// A backup under the state directory.
public struct BackupInfo: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        case made
        case uploaded
        /// No backup, but the store that was there before the last restore. It can be deleted, nothing else.
        case replacedStore
    }

    public let kind: Kind
    public let name: String
    public let bytes: Int
    /// Of the replaced store: when it was replaced.
    public let createdAt: Timestamp
    /// The store's revision it holds; 0 where it is not known.
    public let revision: UInt64
    /// False for an upload that still misses bytes, and for a made backup that does not end as one does.
    public let isComplete: Bool
}

/// A piece of a backup.
public struct BackupChunk: Sendable {
    public let data: [UInt8]
    /// Size of the whole backup.
    public let wholeBytes: UInt64
}

/// What verifying a backup found.
public struct BackupReport: Hashable, Sendable {
    public var isClean: Bool { findings.isEmpty }
    public let findings: [String]
    public let statistics: Statistics
}
