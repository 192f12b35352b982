package import StoreBasics

/// A backup under the state directory.
package struct BackupInfo: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case made
        case uploaded
        /// No backup, but the store that was there before the last restore. It can be deleted, nothing else.
        case replacedStore
    }

    package let kind: Kind
    package let name: String
    package let bytes: Int
    /// Of the replaced store: when it was replaced.
    package let createdAt: Timestamp
    /// The store's revision it holds; 0 where it is not known.
    package let revision: UInt64
    /// False for an upload that still misses bytes, and for a made backup that does not end as one does.
    package let isComplete: Bool
}

/// A piece of a backup.
package struct BackupChunk: Sendable {
    package let data: [UInt8]
    /// Size of the whole backup.
    package let wholeBytes: UInt64
}

/// What verifying a backup found.
package struct BackupReport: Hashable, Sendable {
    package var isClean: Bool { findings.isEmpty }
    package let findings: [String]
    package let statistics: Statistics
}
