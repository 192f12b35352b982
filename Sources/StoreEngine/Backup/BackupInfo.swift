/// A backup under the state directory.
public struct BackupInfo: Hashable, Sendable {
    public let name: String
    public let bytes: Int
    public let createdAt: Timestamp
    /// The store's revision it holds; 0 for an upload that is not complete.
    public let revision: UInt64
    /// False for an upload that still misses bytes.
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
