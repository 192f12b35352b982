package import StoreCrypto

package struct EngineConfiguration: Sendable {
    /// The absolute path of the state directory, which is created with mode 0700 if it is missing.
    package var stateDirectory: String
    /// True to let clients request the low cost of key derivation that tests use.
    package var allowLowCost: Bool
    /// True to refuse to start if the system does not allow key memory to be locked.
    package var memoryLockRequired: Bool
    /// The number of threads for reads that may take long, 1 to 64.
    package var readerThreads: Int
    /// The time without a request after which the store is locked; `nil` for never.
    package var autoLockAfterSeconds: Int?
    /// The most bytes of evictable contents of attachments; 0 for no limit.
    package var attachmentCacheBytesMax: UInt64
    /// The limits for areas of the vault.
    package var fileQuotas: FileQuotas
    /// The bytes of a segment of the journal. A segment is larger only if a single record is larger than this.
    package var journalSegmentBytes = 2 << 20
    /// The limits for the size of the WAL.
    package var walBounds = WALBounds()
    /// Reads the key for opening the store when the daemon starts; returns `nil` if no key is configured.
    package var readConfiguredKey: @Sendable () throws(CryptoError) -> SlotSecret?
    /// The clocks of the system, which tests replace by their own.
    package var clocks: SystemClocks
    /// Called once if a write could not be made durable. The content of the disk is then unknown, so the process must
    /// end without another answer. Must not return.
    package var onLostDurability: @Sendable (StoreError) -> Never
    /// Called with a cause if a page could not be encrypted, decrypted or authenticated. Ends this process without
    /// another answer, whichever store the page belongs to. Runs inside SQLite, on any thread, with locks held and
    /// perhaps with no memory left, so it must not allocate, wait or use the engine. `nil` for abort(3).
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

/// The versions of the libraries and of the schema.
package struct EngineVersions: Hashable, Sendable {
    package let sqlCipher: String
    package let sqlite: String
    package let libsodium: String
    /// The schema version that this build writes.
    package let schema: Int
}

/// The sizes of the store's files in bytes, and what is known to be missing from them.
package struct StorageFiles: Hashable, Sendable {
    package let databaseBytes: Int
    package let walBytes: Int
    package let journalBytes: Int
    /// The number of acknowledged revisions that the last opening accepted as lost; 0 while no store is open.
    package let missingRevisions: UInt64
}
