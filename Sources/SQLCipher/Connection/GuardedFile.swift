import CSQLCipher

/// Verification that all pages read by a connection are authentic.
///
/// If a page does not authenticate, SQLCipher gives SQLite a page of zeros and lets the connection fail from the next
/// page on. If SQLite interprets the page, it reports damage at once. But if the page is a part of a long value, SQLite
/// copies it unchanged. If no other page is read afterwards, a value with a hole would be returned, and at the end of
/// the transaction SQLCipher forgets the failure.
extension Connection {
    /// True if pages were read from the files since the last call of `verifyPagesRead`.
    var hasUnverifiedPages: Bool {
        pagesRead.pointee != verifiedPagesRead
    }

    /// Checks that the pages read in the open transaction are authentic. Requests one more page, which is in the cache,
    /// because SQLCipher reports a page that did not authenticate only at the request of a later page.
    ///
    /// - Throws: `.pageRefused` if one of the pages did not authenticate.
    package func verifyPagesRead() throws(SQLCipherError) {
        if pageProbe == nil {
            // Opens a cursor on the first table of the database, because simpler statements do not request a page.
            let sql = "SELECT 1 FROM sqlite_master LIMIT 1"
            guard sqlite3_prepare_v2(handle, sql, -1, &pageProbe, nil) == SQLITE_OK else {
                throw lastError("page probe")
            }
        }
        let result = sqlite3_step(pageProbe)
        guard result == SQLITE_ROW || result == SQLITE_DONE else {
            let error = lastError("page probe")
            sqlite3_reset(pageProbe)
            throw error
        }
        sqlite3_reset(pageProbe)
        verifiedPagesRead = pagesRead.pointee
    }
}

/// A layer between SQLite and the operating system for one open file of a connection. It counts the pages that are
/// read, and rejects operations that SQLite would allow:
///
/// - A page of zeros and a page after the end of the database file are errors, because they mean that the file lacks
///   the page. SQLite reads zeros after the end of a file, and SQLCipher accepts a page of zeros without checking its
///   authenticator, so that a hole, a lost write or a truncated file would pass for data. SQLCipher never writes a page
///   of zeros, because each page ends with a random initialization vector and its authenticator. The read returns
///   SQLITE_CORRUPT. Pages in the WAL are not read from the database file, so it does not matter if the file lacks
///   them.
/// - If the file is to be preserved, it is not written to any more, and its WAL stays in place when the last connection
///   closes.
///
/// See https://www.sqlite.org/c3ref/io_methods.html and `SQLITE_FCNTL_FILE_POINTER`.
final class GuardedFile {
    enum Role {
        case database
        case log
        /// The WAL of the connection that writes.
        case writtenLog
    }

    typealias File = UnsafeMutablePointer<sqlite3_file>
    typealias Guarded = UnsafeMutablePointer<ghost_guarded_io_methods>

    private let guarded: Guarded

    /// - Parameters:
    ///   - pagesRead: counts the whole pages read from the file; must outlive the connection's files.
    ///   - cutoff: can interrupt reads of pages; must outlive the connection's files.
    /// - Throws: `.profileRefused` if SQLite does not provide the database file; `.corrupt` if SQLite has no WAL, which
    ///   means that the first page of the database file was changed.
    init(
        _ role: Role, of handle: OpaquePointer, pageBytes: Int, countingIn pagesRead: UnsafeMutablePointer<UInt64>,
        endedBy cutoff: StatementCutoff?
    ) throws(SQLCipherError) {
        let operation = role == .database ? SQLITE_FCNTL_FILE_POINTER : SQLITE_FCNTL_JOURNAL_POINTER
        var file: File?
        guard sqlite3_file_control(handle, "main", operation, &file) == SQLITE_OK, let file,
            let original = file.pointee.pMethods
        else { throw SQLCipherError(kind: role == .database ? .profileRefused : .corrupt, operation: "guarded file") }
        guarded = .allocate(capacity: 1)
        guarded.initialize(
            to: ghost_guarded_io_methods(
                methods: original.pointee, original: original, page_bytes: Int32(pageBytes), is_preserved: 0,
                pages_read: pagesRead, cutoff: cutoff?.pointer, gathered: nil, gathered_bytes: 0, gathered_at: 0,
                written_to: -1, lost_at: -1, ends_commit: 0))
        switch role {
        case .database:
            guarded.pointee.methods.xRead = { GuardedFile.readDatabase($0, $1, $2, $3) }
            guarded.pointee.methods.xWrite = { GuardedFile.write($0, $1, $2, $3) }
            guarded.pointee.methods.xTruncate = { GuardedFile.truncate($0, $1) }
            guarded.pointee.methods.xLock = { GuardedFile.lock($0, $1) }
        case .log:
            guarded.pointee.methods.xRead = { GuardedFile.read($0, $1, $2, $3) }
        case .writtenLog:
            GatheredFrames.install(guarded)
        }
        file.pointee.pMethods = UnsafeRawPointer(guarded).assumingMemoryBound(to: sqlite3_io_methods.self)
    }

    /// Must run after the connection is closed, because SQLite closes the file through the methods that this object
    /// owns.
    deinit {
        guarded.pointee.gathered?.deallocate()
        guarded.deallocate()
    }

    func preserve() {
        guarded.pointee.is_preserved = 1
    }

    // MARK: Methods called by SQLite

    static func read(
        _ file: File?, _ bytes: UnsafeMutableRawPointer?, _ byteCount: Int32, _ offset: sqlite3_int64
    ) -> Int32 {
        guard let guarded = guarded(file), let read = guarded.pointee.original.pointee.xRead else {
            return SQLITE_IOERR
        }
        let isPage = byteCount == guarded.pointee.page_bytes
        if isPage, StatementCutoff.at(guarded.pointee.cutoff)?.isCutOff == true {
            return SQLITE_INTERRUPT
        }
        let result = read(file, bytes, byteCount, offset)
        if isPage {
            guarded.pointee.pages_read.pointee &+= 1
        }
        return result
    }

    private static func readDatabase(
        _ file: File?, _ bytes: UnsafeMutableRawPointer?, _ byteCount: Int32, _ offset: sqlite3_int64
    ) -> Int32 {
        let result = read(file, bytes, byteCount, offset)
        // A read of another size is for a part of the first page. The file may still be empty then, so a short read is
        // no error.
        guard let guarded = guarded(file), byteCount == guarded.pointee.page_bytes else { return result }
        // This is SQLITE_IOERR_SHORT_READ, an expression that Swift does not import.
        let shortRead = SQLITE_IOERR | (2 << 8)
        guard result == SQLITE_OK else { return result == shortRead ? SQLITE_CORRUPT : result }
        let page = UnsafeRawBufferPointer(start: bytes, count: Int(byteCount))
        return page.contains { $0 != 0 } ? SQLITE_OK : SQLITE_CORRUPT
    }

    private static func write(
        _ file: File?, _ bytes: UnsafeRawPointer?, _ byteCount: Int32, _ offset: sqlite3_int64
    ) -> Int32 {
        guard let guarded = guarded(file), let write = guarded.pointee.original.pointee.xWrite else {
            return SQLITE_IOERR
        }
        return guarded.pointee.is_preserved == 0 ? write(file, bytes, byteCount, offset) : SQLITE_READONLY
    }

    private static func truncate(_ file: File?, _ byteCount: sqlite3_int64) -> Int32 {
        guard let guarded = guarded(file), let truncate = guarded.pointee.original.pointee.xTruncate else {
            return SQLITE_IOERR
        }
        return guarded.pointee.is_preserved == 0 ? truncate(file, byteCount) : SQLITE_READONLY
    }

    /// Refuses the exclusive lock if the file is to be preserved: in WAL mode the last connection takes that lock to
    /// checkpoint the WAL and remove it.
    private static func lock(_ file: File?, _ level: Int32) -> Int32 {
        guard let guarded = guarded(file), let lock = guarded.pointee.original.pointee.xLock else {
            return SQLITE_IOERR
        }
        return guarded.pointee.is_preserved == 0 || level < SQLITE_LOCK_EXCLUSIVE ? lock(file, level) : SQLITE_BUSY
    }

    static func guarded(_ file: File?) -> Guarded? {
        guard let methods = file?.pointee.pMethods else { return nil }
        return UnsafeMutableRawPointer(mutating: methods).assumingMemoryBound(to: ghost_guarded_io_methods.self)
    }
}
