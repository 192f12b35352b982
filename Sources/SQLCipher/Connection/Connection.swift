import CSQLCipher
import Glibc

/// One keyed connection to an encrypted database file.
///
/// Not thread-safe (SQLITE_OPEN_NOMUTEX): exactly one thread may use a connection and its statements at a time.
/// Only its `StatementCutoff` may be used from others. There is no way to get a connection without a key.
package final class Connection {
    let handle: OpaquePointer
    private var statements: [ObjectIdentifier: Statement] = [:]
    private var isClosed = false
    private(set) lazy var walObserver = WALObserver(handle: handle)
    private let cutoff: StatementCutoff?
    // These must live until the files are closed.
    private var databaseFile: GuardedFile?
    private var logFile: GuardedFile?
    /// Pages that came from either file so far.
    let pagesRead: UnsafeMutablePointer<UInt64>
    /// `pagesRead` when the connection was last asked whether all of them authenticate.
    var verifiedPagesRead: UInt64 = 0
    var pageProbe: OpaquePointer?
    /// Told of what is written from here on; `nil`: nobody is.
    package var recorder: StatementRecorder?

    /// How a database file is opened.
    package enum Mode: Hashable, Sendable {
        /// Makes a new file; fails when there is one.
        case create
        /// Opens an existing file for reading and writing.
        case readWrite
        /// Opens an existing file for reading beside a writer of this process; writes nothing but the shared-memory
        /// index.
        case readBesideWriter
        /// Reads the file together with its WAL and changes neither, also at the end: a connection that may not
        /// write cannot checkpoint. Makes the shared-memory index anew if need be.
        case readOnly
        /// Reads the main file alone, ignoring its WAL, without touching any file: to try a key.
        case probe
    }

    /// Opens and keys a database file and makes sure that the key is the right one.
    ///
    /// - Parameters:
    ///   - path: absolute path of the file; its folder must exist.
    ///   - key: a raw-key literal, `x'…'` with 64 or 96 hexadecimal digits (67 or 99 bytes). SQLCipher takes any other
    ///     length for a passphrase, so it is refused here.
    ///   - cutoff: ends what the connection runs, if that may have to end before its time.
    /// - Throws: `SQLCipherError`: `.notADatabase` for a wrong key or a damaged first page, `.corrupt` where the file
    ///   is shorter than its first page says, `.malformedKey`.
    package init(
        path: String, key: UnsafeRawBufferPointer, mode: Mode, profile: CipherProfile,
        versions: LibraryVersions, cutoff: StatementCutoff? = nil
    ) throws(SQLCipherError) {
        guard RawKeyLiteral.isWellFormed(key) else { throw SQLCipherError(kind: .malformedKey, operation: "key") }
        handle = try Self.open(path: path, mode: mode)
        self.cutoff = cutoff
        pagesRead = .allocate(capacity: 1)
        pagesRead.initialize(to: 0)
        do {
            let databaseFile = try GuardedFile(
                .database, of: handle, pageBytes: profile.pageBytes, countingIn: pagesRead, endedBy: cutoff)
            self.databaseFile = databaseFile
            // One connection writes pages back, also at its end: the one that writes.
            if mode == .readBesideWriter {
                databaseFile.preserve()
            }
            try applyKey(key, profile: profile, versions: versions)
            try configure(mode: mode, profile: profile)
            // A database that is being made has no WAL yet.
            if mode != .probe, mode != .create {
                // A read opens the WAL.
                try verifyPagesRead()
                logFile = try GuardedFile(
                    mode == .readBesideWriter ? .log : .writtenLog, of: handle, pageBytes: profile.pageBytes,
                    countingIn: pagesRead, endedBy: cutoff)
            }
            cutoff?.watch(handle)
            _ = walObserver
        } catch {
            // What cannot be opened is not to be changed by closing it.
            databaseFile?.preserve()
            sqlite3_finalize(pageProbe)
            sqlite3_close_v2(handle)
            isClosed = true
            throw error
        }
    }

    deinit {
        close()
        pagesRead.deallocate()
    }

    /// From here on this connection does not write to the database file, and leaves its WAL beside it when it closes:
    /// what is damaged is not to be changed. A commit would still be appended to the WAL; who preserves makes none.
    package func preserveFiles() {
        databaseFile?.preserve()
    }

    /// Finalizes the statements and closes. The last connection of a file in WAL mode checkpoints it and removes the
    /// WAL, unless the files are preserved.
    package func close() {
        guard !isClosed else { return }
        isClosed = true
        walObserver.end()
        for statement in statements.values {
            statement.finalize()
        }
        statements.removeAll()
        sqlite3_finalize(pageProbe)
        // Not sqlite3_close_v2, which would close the files later, through operations that are gone by then.
        let result = sqlite3_close(handle)
        precondition(result == SQLITE_OK, "a connection was closed before its statements were finalized")
    }

    /// Rows written since the connection was opened, including those of triggers and foreign-key actions.
    package var totalChanges: Int {
        Int(sqlite3_total_changes(handle))
    }

    /// Rows written since `totalChanges` was this: it is counted in 32 bits, and begins anew.
    func changes(since before: Int) -> Int {
        Int(Int32(truncatingIfNeeded: totalChanges) &- Int32(truncatingIfNeeded: before))
    }

    /// The number of the row that the last INSERT made.
    package var lastInsertedRow: Int64 {
        sqlite3_last_insert_rowid(handle)
    }

    /// Frames in the WAL after this connection's last commit that wrote something; 0 before its first, and once the WAL
    /// was made an empty file.
    package var walFrames: Int {
        walObserver.frameCount
    }

    /// False while a transaction is open.
    package var isInAutocommit: Bool {
        sqlite3_get_autocommit(handle) != 0
    }

    /// Runs one or more statements without parameters and discards their rows. What is run inside a transaction is
    /// recorded, where somebody records: it may change tables themselves, which is not counted in rows.
    package func execute(_ sql: String) throws(SQLCipherError) {
        let isInTransaction = !isInAutocommit
        let result = sqlite3_exec(handle, sql, nil, nil, nil)
        guard result == SQLITE_OK else {
            let error = lastError("execute")
            noteFailedWrite(error)
            throw error
        }
        if isInTransaction, !isInAutocommit {
            recorder?.record(sql: sql)
        }
    }

    /// Nothing is left behind where the transaction is gone, and nothing unknown where a name was taken: SQLite takes
    /// back or counts what a statement did that was to be unique (https://www.sqlite.org/lang_conflict.html).
    func noteFailedWrite(_ error: SQLCipherError) {
        guard !isInAutocommit, !error.isUniqueViolation else { return }
        recorder?.noteFailure()
    }

    /// The prepared statement for a piece of SQL, prepared on first use and kept until the connection is closed.
    package func statement(_ text: StatementText) throws(SQLCipherError) -> Statement {
        if let statement = statements[ObjectIdentifier(text)] {
            return statement
        }
        let statement = try Statement(connection: self, text: text)
        statements[ObjectIdentifier(text)] = statement
        return statement
    }

    /// Prepares a statement that the caller owns; it ends with the returned object.
    package func prepare(_ sql: String) throws(SQLCipherError) -> Statement {
        try Statement(connection: self, text: StatementText(sql))
    }

    /// The first column of the first row of a query, as an integer; `nil` without a row.
    package func integer(_ sql: String) throws(SQLCipherError) -> Int64? {
        let statement = try prepare(sql)
        defer { statement.finalize() }
        return try statement.step() ? statement.integer(0) : nil
    }

    /// The first column of the first row of a query, as text; `nil` without a row.
    package func text(_ sql: String) throws(SQLCipherError) -> String? {
        let statement = try prepare(sql)
        defer { statement.finalize() }
        return try statement.step() ? try statement.text(0) : nil
    }

    /// The failure of the call before this one. SQLite keeps the system's reason for some failures only: that of a
    /// COMMIT is just where the failed call left it.
    func lastError(_ operation: String) -> SQLCipherError {
        let leftBehind = errno
        return SQLCipherError(
            extendedCode: sqlite3_extended_errcode(handle), systemErrors: [leftBehind, sqlite3_system_errno(handle)],
            operation: operation)
    }
}

extension Connection {
    /// Gives unused cached pages back to the allocator.
    package func releaseMemory() {
        sqlite3_db_release_memory(handle)
    }

    /// Bounds the page cache, in KiB.
    package func setCacheKibibytes(_ kibibytes: Int) throws(SQLCipherError) {
        try execute("PRAGMA cache_size = -\(kibibytes)")
    }
}
