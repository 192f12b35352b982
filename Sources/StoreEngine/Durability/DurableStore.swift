import SQLCipher
import StoreBasics

/// The open store as far as it is durable: the one read-write connection, the journal, whose records make acknowledged
/// writes durable, and the pages and the WAL of the database, which follow later. Only the thread that holds the
/// writer's seat may use it.
///
/// `makeDurable` writes all changes since the last record to the journal as one record. `commitPages` writes the pages
/// of such records to the WAL, where readers see them. `emptyLog` copies the WAL to the database file and empties the
/// journal. A write or a sync that fails throws, and the requests it was for are not acknowledged.
class DurableStore {
    /// `nil` while no store is open.
    var connection: Connection?
    var statistics = Statistics(history: .none)
    /// `nil` while no store is open.
    var mark: StoreMarkFile?
    /// `nil` while no store is open.
    private(set) var journal: Journal?
    /// Up to which record of the journal the pages are committed.
    private(set) var committed = JournalPosition.start
    /// What the records behind that hold.
    private var uncommitted: UncommittedWork
    /// `nil` once pages could be committed.
    var failedCommit: FailedCommit?
    /// Of the connection, at the last record.
    private var durableChanges = 0
    /// The pages of a damaged store do not take them.
    private var isTailLeft = false
    /// Something was written since the WAL, the reserve and the caches were last looked after.
    var needsHousekeeping = false
    /// When the WAL is to be emptied at the latest, because it may hold content that was removed; `nil` when it holds
    /// none.
    var walEmptyingDue: ContinuousClock.Instant?
    var checkpointPacing = CheckpointPacing()
    /// What the WAL file has grown to; it keeps its size when it starts over.
    var walFileBytes = 0
    /// The disk had no room for a write, and has not been found to have room again.
    var isDiskFull = false
    /// Space for deletes on a full disk; `nil` while no store is open.
    var reserve: DiskReserve?
    /// `nil` while no store is open.
    var writeBack: WALWriteBack?
    let figures = WriteFigures()
    let visibility: WriteVisibility
    /// What an area writes for many requests at once.
    private let deferredRows: any DeferredRows
    /// What is kept in memory about the store.
    private let caches: [any TransactionCache]
    private let walBounds: WALBounds
    let isDamaged: () -> Bool
    let pause = ConditionLock<Void>(())
    /// Told that the space kept for a full disk was needed.
    private let metFullDisk: (StoreError) -> Void

    /// - Parameter isDamaged: whether damage was met since the store was opened.
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

    /// The WAL holds content that is gone from the store.
    func noteRemovedContent() {
        walEmptyingDue = walEmptyingDue ?? .now + .seconds(WALHousekeeping.removedContentSeconds)
    }

    /// Leaves database file and WAL of a damaged store as they are, and the WAL where it could not be emptied.
    ///
    /// - Parameter preservingFiles: leaves them as they are in any case.
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

    /// What was written is durable, and the caches are right.
    func cachesCommitted() {
        for cache in caches { cache.committed() }
    }

    private func cachesRolledBack(_ extent: RollbackExtent) {
        for cache in caches { cache.rolledBack(extent) }
    }
}

extension DurableStore {
    /// Takes a journal into use, which ends where the database stands.
    func take(_ journal: Journal) {
        self.journal = journal
        committed = journal.last
        connection?.recorder = journal.recorder
        durableChanges = connection.map(rowsWritten) ?? 0
        visibility.begin(at: journal.last.record)
    }

    // MARK: A group of writes

    /// Goes on with the open transaction, or begins one.
    func begin() throws(StoreError) -> Connection {
        let connection = try openConnection()
        guard !isTailLeft else {
            throw .databaseDamaged("damage was found at the opening or later", hint: "restore a backup")
        }
        guard connection.isInAutocommit else { return connection }
        try connection.run(Self.beginText)
        // Of one that SQLite has ended by itself.
        journal?.recorder.discard()
        if let journal, hasUncommittedPages {
            try bringBack(journal, connection)
            try connection.run(Self.beginText)
        }
        return connection
    }

    /// What was answered was rolled back with a group that failed. It is committed at once, with the transaction that
    /// was begun for it, so that no number of such groups does it again.
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

    /// What was written since the last record becomes one, and survives whatever comes; its pages are committed later.
    ///
    /// - Returns: whether anything was.
    @discardableResult
    func makeDurable() throws(StoreError) -> Bool {
        let connection = try openConnection()
        guard let journal else {
            throw StoreError(.internal, "a write came before the journal was open; please report this")
        }
        guard !journal.recorder.hasFailedStatement else {
            throw StoreError(.internal, "a statement failed and its transaction continued; please report this")
        }
        guard !journal.recorder.isEmpty else {
            endUnlessUsed(connection)
            return false
        }
        try mapped(connection.verifyPages())
        let bytes = journal.recorder.byteCount
        if bytes >= EngineLimits.largeGroupBytes, let reserve, reserve.freeBytes < 2 * UInt64(bytes) {
            // More pages than the reserve has room for.
            throw .diskIsFull
        }
        try journal.append()
        uncommitted.add(bytes: bytes)
        figures.noteRecord(statementBytes: bytes, syncNanoseconds: journal.lastSyncNanoseconds)
        durableChanges = rowsWritten(connection)
        needsHousekeeping = true
        visibility.noteDurable(journal.last.record)
        return true
    }

    /// Takes back what was written since the last record.
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

    /// Rows that requests have written on the connection so far.
    func rowsWritten(_ connection: Connection) -> Int {
        deferredRows.rowsWrittenByRequests(connection)
    }

    /// A transaction that has written nothing, unless answered writes wait in it.
    private func endUnlessUsed(_ connection: Connection) {
        if !hasUncommittedPages {
            connection.rollBack()
        }
    }

    /// Or has failed to, which may leave a part of it behind.
    private func hasWritten(_ connection: Connection, _ recorder: StatementRecorder) -> Bool {
        rowsWritten(connection) != durableChanges || !recorder.isEmpty
            || recorder.hasFailedStatement
    }

    /// Runs `body` as a group that gives no revision, and makes it durable.
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

    /// Answered writes wait in the open transaction.
    var hasUncommittedPages: Bool {
        journal.map { $0.last != committed && !isTailLeft } ?? false
    }

    /// They do, and it is time to try.
    var isCommitPossible: Bool {
        hasUncommittedPages && failedCommit.map { $0.retryDue <= .now } ?? true
    }

    /// On a full disk: whether a group of deletes finds room for its pages, with what was kept for it.
    func hasRoomForDeletes() -> Bool {
        _ = reserve?.release()
        return reserve?.hasRoom(for: EngineLimits.diskGroupBytesMin) ?? false
    }

    /// Before the database is copied as it is: nothing of what was answered is missing in it.
    func requireCommittedPages() throws(StoreError) {
        try commitPages()
        guard isTailLeft || journal.map({ $0.last != committed }) ?? false else { return }
        throw .databaseDamaged("acknowledged changes in the journal cannot be applied to it")
    }

    /// They are so many that their pages are to be committed now.
    var isCommitDue: Bool { uncommitted.isCommitDue }

    /// A caller's thread may write something short: nothing is in the way, and it takes about one quick sync.
    var takesShortWrites: Bool {
        guard let connection, let journal, !isTailLeft, !isDiskFull, failedCommit == nil, !isCommitDue,
            !(hasUncommittedPages && connection.isInAutocommit), deferredRows.isShort
        else { return false }
        return journal.takesShortRecords
    }

    /// Commits the pages of what was answered, so that readers see it. No sync: the journal has it all.
    func commitPages() throws(StoreError) {
        guard let journal, hasUncommittedPages else { return }
        do throws(StoreError) {
            try commitPages(upTo: journal)
        } catch {
            guard error.reason == .diskFull, reserve?.release() == true else { throw error }
            try commitPages(upTo: journal)
            // What is answered from here on may find no room for its pages.
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
        visibility.noteCommitted(committed.record)
    }

    /// Of a damaged store: what its pages could not take stays in the journal, and reads go on with what there is.
    func leaveUncommitted() {
        guard let connection, let journal else { return }
        guard journal.last != committed else { return }
        isTailLeft = true
        connection.rollBack()
        deferredRows.removeAll()
        visibility.noteCommitted(journal.last.record)
    }

    /// Of a store that was opened damaged: the same, with the journal as it was found.
    func leaveJournal() {
        isTailLeft = true
    }

    static let beginText = StatementText("BEGIN IMMEDIATE")
}

/// Pages of answered writes could not be committed: it is tried again after a while.
struct FailedCommit {
    let error: StoreError
    let retryDue: ContinuousClock.Instant = .now + .seconds(1)
}
