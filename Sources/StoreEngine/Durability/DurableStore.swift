import SQLCipher
import StoreBasics

/// The durable side of the open store: the only read-write connection, the journal, whose records make acknowledged
/// writes durable, and the pages and the WAL of the database, which follow later. Only the thread that holds the writer
/// lock may use it.
///
/// `makeDurable` writes all changes since the last record to the journal as one record. `commitPages` writes the pages
/// of such records to the WAL, where readers see them. `emptyLog` copies the WAL to the database file and empties the
/// journal. Each of them throws if a write or a sync fails. If `makeDurable` throws, the requests of the record are not
/// acknowledged.
class DurableStore {
    /// `nil` while no store is open.
    var connection: Connection?
    var statistics = Statistics(history: .none)
    /// `nil` while no store is open.
    var mark: StoreMarkFile?
    /// `nil` while no store is open.
    private(set) var journal: Journal?
    /// The last record of the journal whose pages are committed.
    private(set) var committed = JournalPosition.start
    /// The amount of work in the records after `committed`.
    private var uncommitted: UncommittedWork
    /// The last failed attempt to commit pages; `nil` after a successful one.
    var failedCommit: FailedCommit?
    /// The connection's total of changed rows at the last journal record. A larger total now means unsaved work.
    private var durableChanges = 0
    /// True if the journal's last records stay uncommitted because the damaged database cannot apply them.
    private var isTailLeft = false
    /// True if something was written since the last maintenance of the WAL, the reserve and the caches.
    var needsHousekeeping = false
    /// The latest time at which the WAL must be emptied, because it may contain removed content; `nil` if it contains
    /// none.
    var walEmptyingDue: ContinuousClock.Instant?
    var checkpointPacing = CheckpointPacing()
    /// The size of the WAL file. It does not shrink when SQLite starts the WAL from the beginning.
    var walFileBytes = 0
    /// True from a write that found the disk full until a check has found room again.
    var isDiskFull = false
    /// Space for deletes on a full disk; `nil` while no store is open.
    var reserve: DiskReserve?
    /// `nil` while no store is open.
    var writeBack: WALWriteBack?
    let figures = WriteFigures()
    let visibility: WriteVisibility
    /// Rows that an area writes for many requests at once.
    private let deferredRows: any DeferredRows
    /// The in-memory caches that follow the transactions of this store.
    private let caches: [any TransactionCache]
    private let walBounds: WALBounds
    let isDamaged: () -> Bool
    let pause = ConditionLock<Void>(())
    /// Called when the space that is reserved for a full disk was needed.
    private let metFullDisk: (StoreError) -> Void

    /// - Parameter isDamaged: returns true if damage was found since the store was opened.
    init(
        walBounds: WALBounds, visibility: WriteVisibility, deferredRows: any DeferredRows,
        caches: [any TransactionCache], metFullDisk: @escaping (StoreError) -> Void, isDamaged: @escaping () -> Bool
    ) {
        self.walBounds = walBounds
        uncommitted = UncommittedWork(walBounds)
        self.visibility = visibility
        self.deferredRows = deferredRows
        self.caches = caches
        self.isDamaged = isDamaged
        self.metFullDisk = metFullDisk
    }

    /// - Throws: `.storeLocked` while no store is open.
    func openConnection() throws(StoreError) -> Connection {
        guard let connection else { throw StoreError(.storeLocked, "the store is locked; unlock it first") }
        return connection
    }

    /// Schedules emptying of the WAL, because it contains content that was removed from the store.
    func scheduleWALEmptying() {
        walEmptyingDue = walEmptyingDue ?? .now + .seconds(WALHousekeeping.removedContentSeconds)
    }

    /// Closes the store. Does not change the database file and the WAL of a damaged store, nor a WAL that could not be
    /// emptied.
    ///
    /// - Parameter preservingFiles: if true, the files are never changed.
    func close(preservingFiles: Bool = false) {
        if let connection {
            if preservingFiles || isDamaged() || !emptyLogAtEnd() {
                connection.rollBack()
                connection.preserveFiles()
            }
            connection.recorder = nil
            connection.close()
        }
        connection = nil
        journal = nil
        committed = .start
        uncommitted = UncommittedWork(walBounds)
        isTailLeft = false
        failedCommit = nil
        visibility.reset()
        mark = nil
        reserve = nil
        writeBack = nil
        statistics = Statistics(history: .none)
        for cache in caches { cache.closed() }
        needsHousekeeping = false
        walEmptyingDue = nil
        checkpointPacing = CheckpointPacing()
        walFileBytes = 0
        isDiskFull = false
    }

    /// Informs the caches that the transaction is durable, so that they keep their changes.
    func cachesCommitted() {
        for cache in caches { cache.committed() }
    }

    private func cachesRolledBack(_ extent: RollbackExtent) {
        for cache in caches { cache.rolledBack(extent) }
    }
}

extension DurableStore {
    /// Starts to use a journal whose last record is the database's last record.
    func attach(_ journal: Journal) {
        self.journal = journal
        committed = journal.last
        connection?.recorder = journal.recorder
        durableChanges = connection.map(rowsWritten) ?? 0
        visibility.begin(at: journal.last.record)
    }

    // MARK: Writing a batch

    /// Returns the connection with an open transaction; begins one if none is open.
    func begin() throws(StoreError) -> Connection {
        let connection = try openConnection()
        guard !isTailLeft else { throw .databaseDamaged("damage was found when the store was opened, or later") }
        guard connection.isInAutocommit else { return connection }
        try connection.run(Self.beginText)
        // The recorder may contain statements of a transaction that SQLite has ended by itself.
        journal?.recorder.discard()
        if let journal, hasUncommittedPages {
            try bringBack(journal, connection)
            try connection.run(Self.beginText)
        }
        return connection
    }

    /// Replays acknowledged writes that were rolled back together with a failed batch, and commits them at once.
    /// Without this commit, every further failed batch would require the same replay again.
    private func bringBack(_ journal: Journal, _ connection: Connection) throws(StoreError) {
        deferredRows.removeAll()
        do throws(StoreError) {
            try journal.replay(after: committed, on: connection)
            try commitPages(upTo: journal, connection)
        } catch {
            connection.rollBack()
            throw error
        }
    }

    /// Appends all changes since the last record to the journal as one record and syncs it. The pages are committed
    /// later.
    ///
    /// - Returns: `true` if there were changes.
    @discardableResult
    func makeDurable() throws(StoreError) -> Bool {
        let connection = try openConnection()
        guard let journal else { throw .fault("a write came before the journal was open") }
        guard !journal.recorder.hasFailedStatement else {
            throw .fault("a statement failed and its transaction continued")
        }
        guard !journal.recorder.isEmpty else {
            endUnlessUsed(connection)
            return false
        }
        try mapped(connection.verifyPages())
        let bytes = journal.recorder.byteCount
        if bytes >= EngineLimits.largeGroupBytes, let reserve, reserve.freeBytes < 2 * UInt64(bytes) {
            // The batch may change more pages than the reserve has room for.
            throw .diskIsFull
        }
        try journal.append()
        uncommitted.add(bytes: bytes)
        figures.recordJournalRecord(statementBytes: bytes, syncNanoseconds: journal.lastSyncNanoseconds)
        durableChanges = rowsWritten(connection)
        needsHousekeeping = true
        visibility.recordDurable(journal.last.record)
        return true
    }

    /// Rolls back the changes since the last record. Acknowledged writes in the same transaction are replayed by the
    /// next `begin`.
    func abandon() {
        if let connection, let journal, hasWritten(connection, journal.recorder) {
            connection.rollBack()
            cachesRolledBack(.transaction)
            journal.recorder.discard()
            durableChanges = rowsWritten(connection)
        } else {
            if let connection {
                endUnlessUsed(connection)
            }
            cachesRolledBack(.nothing)
        }
    }

    /// Returns the number of rows that requests have written on the connection so far.
    func rowsWritten(_ connection: Connection) -> Int {
        deferredRows.rowsWrittenByRequests(connection)
    }

    /// Ends a transaction that has written nothing, unless it contains acknowledged writes that are not committed yet.
    private func endUnlessUsed(_ connection: Connection) {
        if !hasUncommittedPages {
            connection.rollBack()
        }
    }

    /// Returns true if the transaction has written since the last record, or if a statement has failed, which may leave
    /// a partial change.
    private func hasWritten(_ connection: Connection, _ recorder: StatementRecorder) -> Bool {
        rowsWritten(connection) != durableChanges || !recorder.isEmpty
            || recorder.hasFailedStatement
    }

    /// Runs `body` as a transaction without a revision of its own, and makes it durable.
    func commit<Result>(_ body: (Connection) throws(StoreError) -> Result) throws(StoreError) -> Result {
        do throws(StoreError) {
            let connection = try begin()
            try deferredRows.write(connection)
            let result = try body(connection)
            try makeDurable()
            cachesCommitted()
            return result
        } catch {
            abandon()
            throw error
        }
    }

    // MARK: Pages

    /// True if acknowledged writes in the open transaction are not committed yet.
    var hasUncommittedPages: Bool {
        journal.map { $0.last != committed && !isTailLeft } ?? false
    }

    /// True if uncommitted pages exist and no failed commit delays the next attempt.
    var isCommitPossible: Bool {
        hasUncommittedPages && failedCommit.map { $0.retryDue <= .now } ?? true
    }

    /// Returns true if a batch of deletes has room for its pages on a full disk. Releases the reserve first, so that
    /// the deletes can use its space.
    func hasRoomForDeletes() -> Bool {
        _ = reserve?.release()
        return reserve?.hasRoom(for: EngineLimits.diskGroupBytesMin) ?? false
    }

    /// Commits all pages before the database file is copied.
    ///
    /// - Throws: an error if an acknowledged write would be missing in the copy.
    func requireCommittedPages() throws(StoreError) {
        try commitPages()
        guard isTailLeft || journal.map({ $0.last != committed }) ?? false else { return }
        throw .databaseDamaged("acknowledged changes in the journal cannot be applied to the database")
    }

    /// True if so much work is uncommitted that the pages should be committed now.
    var isCommitDue: Bool { uncommitted.isCommitDue }

    /// True if a caller's thread may write a short record itself: nothing blocks the writer, and the write takes about
    /// as long as one quick sync.
    var acceptsShortWrites: Bool {
        guard let connection, let journal, !isTailLeft, !isDiskFull, failedCommit == nil, !isCommitDue,
            !(hasUncommittedPages && connection.isInAutocommit), deferredRows.isShort
        else { return false }
        return journal.acceptsShortRecords
    }

    /// Commits the pages of acknowledged writes, so that readers see them. Does not sync, because the journal is
    /// durable.
    func commitPages() throws(StoreError) {
        guard let journal, hasUncommittedPages else { return }
        do throws(StoreError) {
            try commitPages(upTo: journal)
        } catch {
            guard error.reason == .diskFull, reserve?.release() == true else { throw error }
            try commitPages(upTo: journal)
            // Writes acknowledged after this point may find no room for their pages.
            isDiskFull = true
            metFullDisk(error)
        }
    }

    private func commitPages(upTo journal: Journal) throws(StoreError) {
        let connection = try openConnection()
        guard connection.isInAutocommit else { return try commitPages(upTo: journal, connection) }
        try connection.run(Self.beginText)
        try bringBack(journal, connection)
    }

    private func commitPages(upTo journal: Journal, _ connection: Connection) throws(StoreError) {
        do throws(StoreError) {
            try deferredRows.write(connection)
            try journal.recorder.whilePaused { () throws(StoreError) in
                try JournalRow.write(journal.last, connection)
            }
            try mapped(connection.commit())
        } catch {
            connection.rollBack()
            throw error
        }
        committed = journal.last
        uncommitted.commit(walFrames: connection.walFrames)
        durableChanges = rowsWritten(connection)
        visibility.recordCommitted(committed.record)
    }

    /// Leaves the uncommitted records of a damaged store in the journal. Reads continue with the pages that are
    /// committed.
    func leaveUncommitted() {
        guard let connection, let journal else { return }
        guard journal.last != committed else { return }
        isTailLeft = true
        connection.rollBack()
        deferredRows.removeAll()
        visibility.recordCommitted(journal.last.record)
    }

    /// Leaves the journal as it was found, because the store was already damaged when it was opened.
    func leaveJournal() {
        isTailLeft = true
    }

    static let beginText = StatementText("BEGIN IMMEDIATE")
}

/// A failure to commit the pages of acknowledged writes, and the time of the next attempt.
struct FailedCommit {
    let error: StoreError
    let retryDue: ContinuousClock.Instant = .now + .seconds(1)
}
