package import StoreCrypto

/// What the engine is told at start.
package struct EngineConfiguration: Sendable {
    /// Absolute path of the state directory; made with mode 0700 when absent.
    package var stateDirectory: String
    /// Lets clients ask for the low key derivation cost that tests use.
    package var allowLowCost: Bool
    /// Refuses to start when the system does not let key memory be locked.
    package var memoryLockRequired: Bool
    /// Threads for reads that may take a while, 1 to 64.
    package var readerThreads: Int
    /// Locks the store after this long without a request; `nil` never.
    package var autoLockAfterSeconds: Int?
    /// Bytes that contents of attachments which can be fetched again may take; 0: no bound.
    package var attachmentCacheBytesMax: UInt64
    /// What areas of the vault may hold.
    package var fileQuotas: FileQuotas
    /// Bytes of a segment of the journal, unless one record takes more.
    package var journalSegmentBytes = 2 << 20
    /// How far the WAL may grow.
    package var walBounds = WALBounds()
    /// Reads the key that the daemon opens the store with at its start; returns `nil` where none is configured.
    package var readConfiguredKey: @Sendable () throws(CryptoError) -> SlotSecret?
    /// What time it is, and how it passes.
    package var clocks: SystemClocks
    /// Called once when a write could not be made durable: what is on disk is no longer known, so the process must
    /// end without answering anything more. Must not return.
    package var onLostDurability: @Sendable (StoreError) -> Never
    /// Called when a page could not be encrypted, decrypted or authenticated, with the cause in words: ends this
    /// process, whichever store it was, without answering anything more. Runs inside SQLite, on any thread, with locks
    /// held and maybe with no memory left: it must not allocate, wait or use the engine. `nil` leaves it to abort(3).
    package var onPageCipherFailure: (@Sendable (StaticString) -> Never)?

    package init(
        stateDirectory: String, allowLowCost: Bool = false, memoryLockRequired: Bool = false,
        readerThreads: Int = 2, autoLockAfterSeconds: Int? = nil, attachmentCacheBytesMax: UInt64 = 0,
        fileQuotas: FileQuotas = FileQuotas(),
        readConfiguredKey: @escaping @Sendable () throws(CryptoError) -> SlotSecret? = { nil },
        clocks: SystemClocks = .real(bootID: nil),
        onLostDurability: @escaping @Sendable (StoreError) -> Never,
        onPageCipherFailure: (@Sendable (StaticString) -> Never)? = nil
    ) {
        self.stateDirectory = stateDirectory
        self.allowLowCost = allowLowCost
        self.memoryLockRequired = memoryLockRequired
        self.readerThreads = readerThreads
        self.autoLockAfterSeconds = autoLockAfterSeconds
        self.attachmentCacheBytesMax = attachmentCacheBytesMax
        self.fileQuotas = fileQuotas
        self.readConfiguredKey = readConfiguredKey
        self.clocks = clocks
        self.onLostDurability = onLostDurability
        self.onPageCipherFailure = onPageCipherFailure
    }
}

/// Versions of what the store is made of.
package struct EngineVersions: Hashable, Sendable {
    package let sqlCipher: String
    package let sqlite: String
    package let libsodium: String
    /// Schema version this build writes.
    package let schema: Int
}

/// The store's files: sizes in bytes, and what is known to be wrong with them.
package struct StorageFiles: Hashable, Sendable {
    package let databaseBytes: Int
    package let walBytes: Int
    package let journalBytes: Int
    /// Revisions that were answered and that the last opening was told to do without; 0 while no store is open.
    package let missingRevisions: UInt64
}
