/// The daemon and its store as they are now.
public struct Status: Hashable, Sendable {
    public var serverVersion: String
    public var protocolVersion: Int
    public var storeState: StoreState
    /// Why, when the state is not `.open`: lower case, cause first, then a hint. Empty otherwise.
    public var storeStateMessage: String
    public var sqlCipherVersion: String
    public var sqliteVersion: String
    public var libsodiumVersion: String
    public var schemaVersion: Int
    /// False when the system refused to lock key memory (`RLIMIT_MEMLOCK`).
    public var isMemoryLocked: Bool
    public var uptimeMilliseconds: UInt64
    public var connectionCount: Int
    public var revision: UInt64
    public var databaseBytes: UInt64
    public var walBytes: UInt64
    /// Frames of the write-ahead log that the last opening found behind a damaged one and passed over. Not 0: the log
    /// was damaged, or the power failed while they were written. 0 while no store is open.
    public var walFramesIgnored: UInt64
    public var residentBytes: UInt64
    public var processID: Int
}

/// Whether the store can be used, and if not, why.
public enum StoreState: String, Hashable, Sendable, CaseIterable {
    /// No store in the state directory yet.
    case absent
    case locked
    case open
    /// Open, but the disk is full: reads and deletes work.
    case readOnly
    /// The configured key does not open the keyring.
    case wrongKey
    /// The configured key is not there.
    case keyMissing
    case keyringDamaged
    case databaseDamaged
    /// Written by a newer ghoststored.
    case newerSchema
    /// The operating system refused (disk, permission).
    case storageFailed
    /// A state this client does not know yet.
    case unknown
}

/// What the daemon said of itself when asked by `hello`.
public struct ServerInfo: Hashable, Sendable {
    public var protocolVersion: Int
    public var serverVersion: String
    /// Largest payload the daemon takes and sends, in bytes.
    public var frameBytesMax: Int
    /// The caller as the kernel told the daemon.
    public var userID: UInt32
}

/// Counts of the store: exact, and answered in constant time.
public struct Statistics: Hashable, Sendable {
    public var conversationCount: UInt64
    public var messageCount: UInt64
    /// 0 for a caller without the right to read contacts.
    public var contactCount: UInt64
    public var unreadCount: UInt64
    public var revision: UInt64
    /// Changes with a greater revision are still kept.
    public var compactedThroughRevision: UInt64
    public var databaseBytes: UInt64
}

/// How far long work has come.
public struct Progress: Hashable, Sendable {
    public var done: UInt64
    /// `nil` while not known.
    public var total: UInt64?
}
