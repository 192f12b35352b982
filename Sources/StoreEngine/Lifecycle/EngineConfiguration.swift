/// What the engine is told at start.
public struct EngineConfiguration: Sendable {
    /// Absolute path of the state directory; made with mode 0700 when absent.
    public var stateDirectory: String
    /// Lets clients ask for the low key derivation cost that tests use.
    public var allowLowCost: Bool
    /// Refuses to start when the system does not let key memory be locked.
    public var memoryLockRequired: Bool
    /// Threads for reads that may take a while, 1 to 64.
    public var readerThreads: Int
    /// Locks the store after this long without a request; `nil` never.
    public var autoLockAfterSeconds: Int?
    /// Called once when a write could not be made durable: what is on disk is no longer known, so the process must
    /// end without answering anything more. Must not return.
    public var onLostDurability: @Sendable (StoreError) -> Never
    /// Called when a page could not be encrypted, decrypted or authenticated, with the cause in words: ends this
    /// process, whichever store it was, without answering anything more. Runs inside SQLite, on any thread, with locks
    /// held and maybe with no memory left: it must not allocate, wait or use the engine. `nil` leaves it to abort(3).
    public var onPageCipherFailure: (@Sendable (StaticString) -> Never)?

    public init(
        stateDirectory: String, allowLowCost: Bool = false, memoryLockRequired: Bool = false,
        readerThreads: Int = 2, autoLockAfterSeconds: Int? = nil,
        onLostDurability: @escaping @Sendable (StoreError) -> Never,
        onPageCipherFailure: (@Sendable (StaticString) -> Never)? = nil
    ) {
        self.stateDirectory = stateDirectory
        self.allowLowCost = allowLowCost
        self.memoryLockRequired = memoryLockRequired
        self.readerThreads = readerThreads
        self.autoLockAfterSeconds = autoLockAfterSeconds
        self.onLostDurability = onLostDurability
        self.onPageCipherFailure = onPageCipherFailure
    }
}

/// Versions of what the store is made of.
public struct EngineVersions: Hashable, Sendable {
    public let sqlCipher: String
    public let sqlite: String
    public let libsodium: String
    /// Schema version this build writes.
    public let schema: Int
}

/// The store's files: sizes in bytes, and what is known to be wrong with them.
public struct StorageFiles: Hashable, Sendable {
    public let databaseBytes: Int
    public let walBytes: Int
    /// Frames that the last opening found in the WAL behind a damaged one, and that SQLite passes over; 0 when there
    /// were none, and while no store is open.
    public let ignoredWALFrames: Int
}

/// How far long work has come; `total` is 0 when not known.
public struct Progress: Hashable, Sendable {
    public let done: UInt64
    public let total: UInt64

    public init(done: UInt64, total: UInt64) {
        self.done = done
        self.total = total
    }
}
