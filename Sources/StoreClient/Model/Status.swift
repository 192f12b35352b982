/// The daemon and its store as they are now.
public struct Status: Hashable, Sendable, Codable {
    /// The daemon's version: `0.1.0`.
    public var serverVersion: String
    /// The version of the protocol that the daemon speaks: 1.
    public var protocolVersion: Int
    /// Whether the store can be used.
    public var storeState: StoreState
    /// Why, when the state is not `.open`: lower case, cause first, then a hint. Empty otherwise.
    public var storeStateMessage: String
    /// As the library says it: `4.5.6 community`.
    public var sqlCipherVersion: String
    /// As the library says it: `3.44.2`.
    public var sqliteVersion: String
    /// As the library says it: `1.0.18`.
    public var libsodiumVersion: String
    /// The form of the open store's database; 0 while no store is open.
    public var schemaVersion: Int
    /// False when the system refused to lock key memory (`RLIMIT_MEMLOCK`).
    public var isMemoryLocked: Bool
    /// How long the daemon has been running, in milliseconds.
    public var uptimeMilliseconds: UInt64
    /// Connections that are open now, this one counted.
    public var connectionCount: Int
    /// The store's revision; 0 while no store is open.
    public var revision: UInt64
    /// Changes with a greater revision are still kept; 0 while no store is open.
    public var compactedThroughRevision: UInt64
    /// Names the open store's history: another one once a backup took its place or commits at its end were lost. `nil`
    /// while no store is open.
    public var historyID: HistoryID?
    /// Bytes of the database file; 0 while no store is open.
    public var databaseBytes: UInt64
    /// Bytes of the WAL beside it.
    public var walBytes: UInt64
    /// Of the journal's segments.
    public var journalBytes: UInt64
    /// Revisions that were answered and that the last opening was told to do without, as far as they are known. 0 while
    /// no store is open.
    public var revisionsMissing: UInt64
    /// What every area of the vault holds and may hold, as `vaultUsage` tells it; empty while no store is open, and for
    /// who may not read all files.
    public var vaultAreas: [VaultAreaUsage]
    /// Memory of the daemon that is in use (RSS), in bytes.
    public var residentBytes: UInt64
    /// The daemon's process.
    public var processID: Int
    /// The directory of the store's files. Empty except for root and the daemon's own user.
    public var stateDirectory: String

    /// For tests and previews: the calls of a client make their own.
    public init(
        serverVersion: String = "", protocolVersion: Int = 1, storeState: StoreState = .open,
        storeStateMessage: String = "", sqlCipherVersion: String = "", sqliteVersion: String = "",
        libsodiumVersion: String = "", schemaVersion: Int = 0, isMemoryLocked: Bool = true,
        uptimeMilliseconds: UInt64 = 0, connectionCount: Int = 0, revision: UInt64 = 0,
        compactedThroughRevision: UInt64 = 0, historyID: HistoryID? = nil, databaseBytes: UInt64 = 0,
        walBytes: UInt64 = 0, journalBytes: UInt64 = 0, revisionsMissing: UInt64 = 0,
        vaultAreas: [VaultAreaUsage] = [], residentBytes: UInt64 = 0, processID: Int = 0,
        stateDirectory: String = ""
    ) {
        self.serverVersion = serverVersion
        self.protocolVersion = protocolVersion
        self.storeState = storeState
        self.storeStateMessage = storeStateMessage
        self.sqlCipherVersion = sqlCipherVersion
        self.sqliteVersion = sqliteVersion
        self.libsodiumVersion = libsodiumVersion
        self.schemaVersion = schemaVersion
        self.isMemoryLocked = isMemoryLocked
        self.uptimeMilliseconds = uptimeMilliseconds
        self.connectionCount = connectionCount
        self.revision = revision
        self.compactedThroughRevision = compactedThroughRevision
        self.historyID = historyID
        self.databaseBytes = databaseBytes
        self.walBytes = walBytes
        self.journalBytes = journalBytes
        self.revisionsMissing = revisionsMissing
        self.vaultAreas = vaultAreas
        self.residentBytes = residentBytes
        self.processID = processID
        self.stateDirectory = stateDirectory
    }
}

/// A connection to the daemon that is open now.
public struct ConnectedClient: Hashable, Sendable, Codable {
    /// The user who connected.
    public var userID: UInt32
    /// The process that connected; it may have ended since.
    public var processID: Int
    /// The name that the client gave itself; empty if it gave none.
    public var name: String
    /// When it connected, by the daemon's clock.
    public var connectedAt: Timestamp
    /// Requests that the daemon began on this connection.
    public var requestCount: Int
    /// The watches that run on it now.
    public var watchCount: Int

    /// For tests and previews: the calls of a client make their own.
    public init(
        userID: UInt32, processID: Int = 0, name: String = "", connectedAt: Timestamp, requestCount: Int = 0,
        watchCount: Int = 0
    ) {
        self.userID = userID
        self.processID = processID
        self.name = name
        self.connectedAt = connectedAt
        self.requestCount = requestCount
        self.watchCount = watchCount
    }
}

/// Whether the store can be used, and if not, why.
public enum StoreState: String, Hashable, Sendable, CaseIterable, Codable {
    /// No store in the state directory yet.
    case absent
    /// There is one; nobody has opened it since the daemon started or locked it.
    case locked
    /// Reads and writes work.
    case open
    /// Open, but the disk is full: reads and deletes work.
    case readOnly
    /// The configured key does not open the keyring.
    case wrongKey
    /// The configured key is not there.
    case keyMissing
    /// The file that holds the key slots cannot be read.
    case keyringDamaged
    /// The database has pages that are not what was written.
    case databaseDamaged
    /// The journal is not as it was written.
    case journalDamaged
    /// The database is older than what was answered, or another one.
    case rolledBack
    /// Written by a newer ghoststored.
    case newerSchema
    /// The operating system refused (disk, permission).
    case storageFailed
    /// A state this client does not know yet.
    case unknown
}

/// What the daemon said of itself when asked by `hello`.
public struct ServerInfo: Hashable, Sendable, Codable {
    /// The version of the protocol that it speaks: 1.
    public var protocolVersion: Int
    /// The daemon's version: `0.1.0`.
    public var serverVersion: String
    /// Largest payload the daemon takes and sends, in bytes.
    public var frameBytesMax: Int
    /// The caller as the kernel told the daemon.
    public var userID: UInt32
    /// As `Status` has it.
    public var historyID: HistoryID?

    /// For tests and previews: the calls of a client make their own.
    public init(
        protocolVersion: Int, serverVersion: String, frameBytesMax: Int, userID: UInt32, historyID: HistoryID? = nil
    ) {
        self.protocolVersion = protocolVersion
        self.serverVersion = serverVersion
        self.frameBytesMax = frameBytesMax
        self.userID = userID
        self.historyID = historyID
    }
}
