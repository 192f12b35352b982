import CSQLCipher
import Glibc

/// One keyed connection to an encrypted database file.
///
/// Not thread-safe (SQLITE_OPEN_NOMUTEX): only one thread at a time may use a connection and its statements. Only its
/// `StatementCutoff` may be used from other threads. A connection without a key cannot be created.
package final class Connection {
    let handle: OpaquePointer
    private var statements: [ObjectIdentifier: Statement] = [:]
    private var isClosed = false
    private(set) lazy var walObserver = WALObserver(handle: handle)
    private let cutoff: StatementCutoff?
    // These objects must exist until SQLite has closed the files.
    private var databaseFile: GuardedFile?
    private var logFile: GuardedFile?
    /// The number of pages read from either file so far.
    let pagesRead: UnsafeMutablePointer<UInt64>
    /// The value of `pagesRead` at the last check of authenticity.
    var verifiedPagesRead: UInt64 = 0
    var pageProbe: OpaquePointer?
    /// The recorder of the statements that write; `nil` to record nothing.
    package var recorder: StatementRecorder?

    package enum Mode: Hashable, Sendable {
        /// Creates a file; fails if it exists.
        case create
        /// Opens an existing file for reading and writing.
        case readWrite
        /// Opens an existing file for reading while another connection of this process writes. Writes nothing except
        /// the shared-memory index.
        case readBesideWriter
        /// Reads the file together with its WAL and changes neither, not even on close, because a read-only connection
        /// cannot checkpoint. Creates the shared-memory index if necessary.
        case readOnly
        /// Reads the main file without its WAL and without changing any file. Used to try a key.
        case probe
    }

    /// Opens a database file, sets the key and checks that it is right.
    ///
    /// - Parameters:
    ///   - path: the absolute path of the file; its folder must exist.
    ///   - key: a raw-key literal, `x'…'` with 64 or 96 hexadecimal digits (67 or 99 bytes). Other lengths are rejected
    ///     here, because SQLCipher would treat them as passphrases.
    ///   - cutoff: can interrupt the statements of the connection.
    /// - Throws: `SQLCipherError`: `.notADatabase` for a wrong key or a damaged first page, `.corrupt` if the file is
    ///   shorter than its first page says, `.malformedKey`.
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
            // Only the writing connection copies pages from the WAL to the file, also when the connections are closed.
            if mode == .readBesideWriter {
                databaseFile.preserve()
            }
            try applyAndVerifyKey(key, profile: profile, versions: versions)
            try configure(mode: mode, profile: profile)
            // A new database has no WAL yet, and a probe does not read the WAL.
            if mode != .probe, mode != .create {
                // SQLite opens the WAL at the first read.
                try verifyPagesRead()
                logFile = try GuardedFile(
                    mode == .readBesideWriter ? .log : .writtenLog, of: handle, pageBytes: profile.pageBytes,
                    countingIn: pagesRead, endedBy: cutoff)
            }
            cutoff?.watch(handle)
            _ = walObserver
        } catch {
            // Do not let the close change a file that could not be opened.
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

    /// Preserves the files of a damaged database: from now on, the connection never changes the database file, and
    /// leaves the WAL in place when it closes. A commit would still be appended to the WAL; the caller must not commit.
    package func preserveFiles() {
        databaseFile?.preserve()
    }

    /// Finalizes the statements and closes the connection. The last connection to a file in WAL mode checkpoints it and
    /// removes the WAL, unless the files are preserved.
    package func close() {
        guard !isClosed else { return }
        isClosed = true
        walObserver.end()
        for statement in statements.values {
            statement.finalize()
        }
        statements.removeAll()
        sqlite3_finalize(pageProbe)
        // Do not use sqlite3_close_v2: it may close the files later, when the replaced I/O methods no longer exist.
        let result = sqlite3_close(handle)
        precondition(result == SQLITE_OK, "a connection was closed before its statements were finalized")
    }

    /// The number of rows written since the connection was opened, including rows written by triggers and foreign-key
    /// actions.
    package var totalChanges: Int {
        Int(sqlite3_total_changes(handle))
    }

    /// Returns the number of rows written since `totalChanges` was `before`. SQLite's counter has 32 bits and wraps
    /// around.
    func changes(since before: Int) -> Int {
        Int(Int32(truncatingIfNeeded: totalChanges) &- Int32(truncatingIfNeeded: before))
    }

    /// The rowid of the last INSERT.
    package var lastInsertedRow: Int64 {
        sqlite3_last_insert_rowid(handle)
    }

    /// The number of frames in the WAL after this connection's last commit that wrote something; 0 before the first
    /// commit and after the WAL was truncated.
    package var walFrames: Int {
        walObserver.frameCount
    }

    /// False while a transaction is open.
    package var isInAutocommit: Bool {
        sqlite3_get_autocommit(handle) != 0
    }

    /// Runs one or more statements without parameters and discards their rows. Inside a transaction, the statements are
    /// recorded even if they change no rows, because they may change the schema.
    package func execute(_ sql: String) throws(SQLCipherError) {
        let isInTransaction = !isInAutocommit
        let result = sqlite3_exec(handle, sql, nil, nil, nil)
        guard result == SQLITE_OK else {
            let error = lastError("execute")
            recordFailedWrite(error)
            throw error
        }
        if isInTransaction, !isInAutocommit {
            recorder?.record(sql: sql)
        }
    }

    /// Records that a statement failed in the open transaction and may have left a partial change. Does nothing if the
    /// transaction has ended, because no change is left then. Does nothing after a violated unique constraint either:
    /// SQLite undoes the statement's changes (https://www.sqlite.org/lang_conflict.html), or adds the changed rows to
    /// `totalChanges`, which callers compare.
    func recordFailedWrite(_ error: SQLCipherError) {
        guard !isInAutocommit, !error.isUniqueViolation else { return }
        recorder?.recordFailure()
    }

    /// Returns the prepared statement for a text. It is prepared at first use and kept until the connection is closed.
    package func statement(_ text: StatementText) throws(SQLCipherError) -> Statement {
        if let statement = statements[ObjectIdentifier(text)] {
            return statement
        }
        let statement = try Statement(connection: self, text: text)
        statements[ObjectIdentifier(text)] = statement
        return statement
    }

    /// Prepares a statement that the caller owns. It is finalized with the returned object.
    package func prepare(_ sql: String) throws(SQLCipherError) -> Statement {
        try Statement(connection: self, text: StatementText(sql))
    }

    /// Returns the first column of a query's first row as an integer; `nil` without a row.
    package func integer(_ sql: String) throws(SQLCipherError) -> Int64? {
        let statement = try prepare(sql)
        defer { statement.finalize() }
        return try statement.step() ? statement.integer(0) : nil
    }

    /// Returns the first column of a query's first row as text; `nil` without a row.
    package func text(_ sql: String) throws(SQLCipherError) -> String? {
        let statement = try prepare(sql)
        defer { statement.finalize() }
        return try statement.step() ? try statement.text(0) : nil
    }

    /// Returns the error of the previous call. SQLite stores the system's error number only for some failures. After a
    /// failed COMMIT, the number must be read from `errno`.
    func lastError(_ operation: String) -> SQLCipherError {
        let leftBehind = errno
        return SQLCipherError(
            extendedCode: sqlite3_extended_errcode(handle), systemErrors: [leftBehind, sqlite3_system_errno(handle)],
            operation: operation)
    }
}

extension Connection {
    /// Returns unused cached pages to the allocator.
    package func releaseMemory() {
        sqlite3_db_release_memory(handle)
    }

    /// Limits the page cache to a size in KiB.
    package func setCacheKibibytes(_ kibibytes: Int) throws(SQLCipherError) {
        try execute("PRAGMA cache_size = -\(kibibytes)")
    }
}
