package import Logging
import SQLCipher
import StoreBasics
import StoreCrypto
import Synchronization

/// One encrypted store: its keys, its only writer and its readers.
///
/// Every method may be called from any thread. `submit`, `state` and `statistics` never block. The administrative
/// methods (keys, checks, backups) block until their work is done, and run one at a time.
package final class StoreEngine: Sendable {
    let configuration: EngineConfiguration
    let logger: Logger
    let directory: StateDirectory
    let libraries: LibraryVersions
    let status: EngineStatus
    let observers = Observers<Change>()
    let appendObservers = Observers<LogNews>()
    let compactionObservers = Observers<UInt64>()
    let heldWALs = Observers<HeldWAL>()
    let releasedContents = Observers<ReleasedContents>()
    let answerBrackets = AnswerBrackets()
    /// When this process last made a backup.
    let lastBackupAt = Mutex<Timestamp?>(nil)
    private let visibility = WriteVisibility()
    private let searchDemand = SearchDemand()
    let gate = ReaderGate()
    let readers: ReaderRegistry
    let writer: Writer
    let keys = KeyHolder()
    let interruption = Interruption()
    let blobs: BlobThread
    let files: FileThread
    /// Locked while an administrative method runs.
    let administration = ConditionLock<Void>(())
    private let pool: ReaderPool
    private let directoryLock: StateDirectoryLock
    private let autoLock: AutoLock?
    let retentionTimer: RetentionTimer

    /// Acquires the state directory. Opens nothing yet.
    ///
    /// - Throws: `.storeBusy` if another daemon has the directory, `.storageFailed`.
    package init(configuration: EngineConfiguration, logger: Logger) throws(StoreError) {
        self.configuration = configuration
        self.logger = logger
        status = Self.makeStatus(configuration, logger)
        if let end = configuration.onPageCipherFailure {
            PageCipherFailure.setEnd(end)
        }
        try mappedKeys(SodiumRuntime.start())
        if configuration.memoryLockRequired, !SodiumRuntime.isMemoryLockable {
            throw StoreError(
                .storageFailed, "the system does not allow key memory to be locked; raise LimitMEMLOCK")
        }
        libraries = try mapped(LibraryVersions.loaded())
        directory = try StateDirectory(following: configuration.stateDirectory)
        directoryLock = try StateDirectoryLock(directory)
        let clock = StoreClock(configuration.clocks, leastMemberOffset: ReplicaMemberRows.leastTimeOffset)
        let attachmentCache = AttachmentCache(bytesMax: configuration.attachmentCacheBytesMax)
        let openFiles = OpenFiles { [status] in status.generation }
        let registry = ReaderRegistry(
            source: Self.readerSource(
                gate, status, keys, directory, libraries, searchDemand, clock, attachmentCache,
                configuration.fileQuotas, openFiles, visibility),
            closed: { openFiles.closeAll() })
        readers = registry
        let heldWALs = heldWALs
        let stagedContents = StagedContentIDs()
        let retentionTimer = try RetentionTimer()
        self.retentionTimer = retentionTimer
        writer = try Writer(
            events: Self.events(
                status, observers, appendObservers, compactionObservers, releasedContents, answerBrackets,
                configuration, retentionTimer, logger),
            housekeeping: WALHousekeeping(
                pageBytes: CipherProfile.ghoststore.pageBytes, bounds: configuration.walBounds,
                isHeldTooLong: { heldWALs.notify([$0]) }),
            visibility: visibility, searchDemand: searchDemand, clock: clock, attachmentCache: attachmentCache,
            fileQuotas: configuration.fileQuotas,
            vault: WriterVault(
                directory, openFiles, stagedContents, generation: { [status] in status.generation },
                released: { [releasedContents] in releasedContents.notify([$0]) }))
        visibility.attach(writer)
        let fileSource = Self.fileSource(
            directory, registry, status, writer, logger, quotas: configuration.fileQuotas,
            stagedContents: stagedContents)
        let files = FileThread { FileWrites(source: fileSource) }
        _ = releasedContents.add { $0.forEach(files.clean) }
        self.files = files
        let blobSource = Self.blobSource(
            registry, status, writer, directory, configuration.clocks, files, allowsLowCost: configuration.allowLowCost)
        let blobs = BlobThread { BlobSessions(source: blobSource) }
        _ = heldWALs.add { _ in blobs.endExports() }
        self.blobs = blobs
        pool = try ReaderPool(threadCount: configuration.readerThreads) { registry.make() }
        if let seconds = configuration.autoLockAfterSeconds {
            autoLock = try AutoLock(afterSeconds: seconds, status: status)
        } else {
            autoLock = nil
        }
        autoLock?.start { [weak self] in
            self?.lockWhenIdle()
        }
        try retentionTimer.start { [weak self] in
            self?.removeDueMessages()
        }
    }

    package var state: StoreState { status.state }

    /// The absolute path of the state directory.
    package var stateDirectory: String { directory.path }

    package var versions: EngineVersions {
        EngineVersions(
            sqlCipher: libraries.sqlCipher, sqlite: libraries.sqlite, libsodium: SodiumRuntime.versionText,
            schema: Schema.version)
    }

    /// Returns the present sizes of the store's files, also while the store is locked.
    package func storage() -> StorageFiles {
        let loss = status.loss
        return StorageFiles(
            databaseBytes: directory.bytes(of: directory.database), walBytes: directory.bytes(of: directory.wal),
            journalBytes: (try? StateDirectory.bytesBelow(directory.path + "/" + JournalFolder.name)) ?? 0,
            missingRevisions: loss.missingRevisions)
    }

    /// The counts and durations of writing since the engine was created, in all stores that were open.
    package var writeCounts: WriteCounts { writer.counts }

    /// Returns the counters as of the last commit, from memory.
    ///
    /// - Throws: The reason if the store is not open.
    package func statistics() throws(StoreError) -> Statistics {
        guard let statistics = status.statistics else { throw status.state.notOpenError }
        return statistics
    }

    /// Queues a write. Writes of one connection are applied in the order in which they were submitted. Different users
    /// and connections take turns.
    ///
    /// - Parameters:
    ///   - here: True if the calling thread has no other work for some hundred microseconds. It then performs a short
    ///     write itself, if the writer has nothing to do and the disk has been fast.
    ///   - completion: Called once, on the thread that has written, after the commit, or at once if the write is
    ///     refused. A success means that the change is on disk.
    package func submit(
        _ request: WriteRequest, here: Bool = false,
        completion: @escaping @Sendable (Result<MutationResult, StoreError>) -> Void
    ) {
        do throws(StoreError) {
            status.recordActivity()
            try status.admit(request.mutation)
            let write = WriteQueue.Write(request: request, completion: completion)
            try here ? writer.submitHere(write) : writer.submit(write)
        } catch {
            completion(.failure(error))
        }
    }

    /// Returns a reader for short reads from one thread. It sees every write that was acknowledged before the read
    /// began: if the write's pages are not committed yet, the reader waits for the writer thread.
    package func makeReader() -> StoreReader {
        readers.make()
    }

    /// Returns a reader for a thread that must not wait. The thread checks `hasUnseenWrites` before each read.
    package func makeReaderWithoutVisibilityWait() -> StoreReader {
        readers.make(waits: false)
    }

    /// True if readers do not see all acknowledged writes yet. `makeWritesVisible` lets them see all.
    package var hasUnseenWrites: Bool { visibility.isBehind }

    /// Calls `done` when readers see all writes that were acknowledged before the call: on the writer thread, or at
    /// once if readers see them already.
    package func makeWritesVisible(_ done: @escaping @Sendable (Result<Void, StoreError>) -> Void) {
        visibility.catchUp(done)
    }

    /// Runs a read that may take long on a thread of the pool.
    ///
    /// - Parameters:
    ///   - owner: The user and connection whose turn the read takes.
    ///   - deadline: The time of `MonotonicClock` at which the read ends with `.deadlineExceeded`; `nil` for never.
    /// - Throws: `.queueFull`, `.shuttingDown`; then `body` was not called.
    package func readInBackground(
        for owner: WorkOwner = .daemon, deadline: UInt64? = nil, _ body: @escaping @Sendable (StoreReader) -> Void
    ) throws(StoreError) {
        try pool.submit(ReaderPool.Work(deadline: deadline, run: body), for: owner)
    }

    /// Calls the observer for every commit, in order, on the thread that wrote. The observer must return quickly.
    package func observeCommits(_ observer: @escaping @Sendable ([Change]) -> Void) -> Observation {
        observers.add(observer)
    }

    /// Calls `begin` and `end` on the thread that wrote, before and after the completions of each commit's requests.
    package func bracketAnswers(begin: @escaping @Sendable () -> Void, end: @escaping @Sendable () -> Void) {
        answerBrackets.add(begin: begin, end: end)
    }

    /// Calls the observer for every commit that appended to logs or merged entries into them, on the thread that wrote.
    /// The observer must return quickly.
    package func observeAppends(_ observer: @escaping @Sendable ([LogNews]) -> Void) -> Observation {
        appendObservers.add(observer)
    }

    /// Calls the observer after every compaction with an array of one revision: the last revision whose change was
    /// removed from the change log. The observer runs on the thread that wrote, so it must return quickly.
    package func observeCompactions(_ observer: @escaping @Sendable ([UInt64]) -> Void) -> Observation {
        compactionObservers.add(observer)
    }

    /// Checks that the writer thread makes progress: calls `answered` after the running commit, before everything that
    /// waits. During long administrative work (rotation, restore), calls `answered` at once. Never blocks.
    package func askWriter(_ answered: @escaping @Sendable () -> Void) {
        writer.ask(answered)
    }

    /// Performs queued writes as far as `EngineLimits.shutDownMilliseconds` allows, ends running administration,
    /// empties the WAL, closes the store and releases the state directory. The engine cannot be used afterwards.
    /// Calling this again does nothing.
    package func shutDown() {
        interruption.shutDown()
        autoLock?.stop()
        retentionTimer.stop()
        pool.stop()
        blobs.stop()
        files.stop()
        administration.withLock { _ in
            close(telling: nil, withinMilliseconds: EngineLimits.shutDownMilliseconds)
            writer.stop()
            directoryLock.release()
        }
        forgetObservers()
    }

    /// Releases the observers. Observers refer to objects that refer to the engine, so the engine and these objects
    /// would otherwise keep each other alive.
    private func forgetObservers() {
        observers.removeAll()
        appendObservers.removeAll()
        compactionObservers.removeAll()
        heldWALs.removeAll()
        releasedContents.removeAll()
        status.endings.removeAll()
        answerBrackets.removeAll()
    }
}

extension StoreEngine {
    private static func makeStatus(_ configuration: EngineConfiguration, _ logger: Logger) -> EngineStatus {
        let path: Logger.MetadataValue = "\(configuration.stateDirectory)"
        return EngineStatus(
            metDamage: { error in
                logger.error(
                    "damage was found in the open store: it accepts no more writes",
                    metadata: ["reason": "\(error.reason.rawValue)", "message": "\(error)"])
            },
            isDiskFullChanged: { isFull in
                isFull
                    ? logger.warning(
                        "the disk is full: the store accepts only reads and deletions",
                        metadata: ["state_directory": path])
                    : logger.notice(
                        "the disk has space again: the store accepts writes", metadata: ["state_directory": path])
            })
    }

    private static func events(
        _ status: EngineStatus, _ observers: Observers<Change>, _ appendObservers: Observers<LogNews>,
        _ compactionObservers: Observers<UInt64>, _ releasedContents: Observers<ReleasedContents>,
        _ answerBrackets: AnswerBrackets, _ configuration: EngineConfiguration, _ retentionTimer: RetentionTimer,
        _ logger: Logger
    ) -> Writer.Events {
        let onLostDurability = configuration.onLostDurability
        return Writer.Events(
            committed: { changes, appended, statistics, fileUsage in
                let isCompacted = status.recordCommit(statistics, fileUsage)
                observers.notify(changes)
                appendObservers.notify(appended)
                if isCompacted {
                    compactionObservers.notify([statistics.compactedThroughRevision])
                }
            },
            failed: { fault, error in
                switch fault {
                case .diskFull: status.setDiskFull()
                case .damaged: status.reportDamage(error)
                case .storageFailed: onLostDurability(error)
                }
            },
            damage: { status.damage },
            removalFailed: { error in
                logger.error(
                    "deleted content could not be removed from the database file yet; the daemon tries again",
                    metadata: ["message": "\(error)"])
            },
            releasedContents: { releasedContents.notify([$0]) },
            replicaNews: { news in
                for one in news {
                    one.write(to: logger)
                }
            },
            foundSpace: { status.clearDiskFull() },
            retentionDue: { retentionTimer.armNoLater(than: $0) },
            answering: { answerBrackets.around($0) })
    }

    private static func readerSource(
        _ gate: ReaderGate, _ status: EngineStatus, _ keys: KeyHolder, _ directory: StateDirectory,
        _ libraries: LibraryVersions, _ searchDemand: SearchDemand, _ clock: StoreClock,
        _ attachmentCache: AttachmentCache, _ fileQuotas: FileQuotas, _ openFiles: OpenFiles,
        _ visibility: WriteVisibility
    ) -> ReaderSource {
        ReaderSource(
            gate: gate,
            clock: clock,
            generation: { status.generation },
            open: { cutoff throws(StoreError) in
                // The generation is read before the state. So if the store is locked in between, the connection has an
                // old generation and is not used.
                let generation = status.generation
                guard status.isStoreOpen else { throw status.state.notOpenError }
                let connection = try keys.withDatabaseKey { key throws(StoreError) in
                    guard let key else { throw status.state.notOpenError }
                    let connection = try mapped(
                        Connection(
                            path: directory.database, key: key, mode: .readBesideWriter, profile: .ghoststore,
                            versions: libraries, cutoff: cutoff))
                    try mapped(connection.setCacheKibibytes(EngineLimits.readerCacheKibibytes))
                    return connection
                }
                guard let history = status.statistics?.history else { throw status.state.notOpenError }
                return StoreReader.Opened(
                    connection: connection, generation: generation, history: history,
                    parts: ReaderParts(
                        OpenContents(directory, openFiles, generation: generation), SearchDocuments(connection)))
            },
            history: { status.statistics?.history },
            recordActivity: { status.recordActivity() },
            reportDamage: { status.reportDamage($0) },
            damage: { status.damage },
            askForIndexing: { searchDemand.ask() }, parts: SharedReaderParts(attachmentCache, fileQuotas),
            visibility: visibility)
    }
}
