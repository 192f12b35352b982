import CSQLCipher

/// Whether the pages that a connection has read are what was written.
///
/// SQLCipher hands SQLite zeros for a page that does not authenticate and makes the connection fail from the next page
/// on. Where SQLite looks into the page it is damage at once; a piece of a long value it copies as it is. If nothing is
/// read after that, the value would go out with a hole in it, and the end of the transaction forgets the failure.
extension Connection {
    /// Pages came from the files since `verifyPagesRead` last looked.
    var hasUnverifiedPages: Bool {
        pagesRead.pointee != verifiedPagesRead
    }

    /// Asks for one more page, which is at hand, inside the transaction in which the others were read.
    ///
    /// - Throws: `.pageRefused` when one of the others did not authenticate.
    package func verifyPagesRead() throws(SQLCipherError) {
        if pageProbe == nil {
            // A cursor on the first table of every database: nothing shorter asks for a page.
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

/// Stands between SQLite and the operating system for one open file of a connection: counts the pages that come from
/// it, and refuses what SQLite lets pass.
///
/// - A page that a database file does not hold is an error: one of nothing but zeros, and one that the file ends
///   before. SQLite fills what lies beyond the end of a file with zeros, and SQLCipher hands a page of zeros on without
///   looking at its authenticator, so a hole, a lost write or a file cut short would pass for data. No page that
///   SQLCipher wrote is all zeros: each ends in a random initialization vector and its authenticator. The read answers
///   SQLITE_CORRUPT. What the WAL holds is not read from the database file, so pages that no checkpoint has brought
///   there do not matter.
/// - Once it is to be preserved, the file is not written to any more, and its WAL stays beside it when the last
///   connection closes.
///
/// See https://www.sqlite.org/c3ref/io_methods.html and `SQLITE_FCNTL_FILE_POINTER`.
final class GuardedFile {
    enum Role {
        case database
        case log
        /// Of the connection that writes.
        case writtenLog
    }

    typealias File = UnsafeMutablePointer<sqlite3_file>
    typealias Guarded = UnsafeMutablePointer<ghost_guarded_io_methods>

    private let guarded: Guarded

    /// - Parameters:
    ///   - pagesRead: counts the whole pages read from the file; must outlive the connection's files.
    ///   - cutoff: ends reads of pages; must outlive the files as well.
    /// - Throws: `.profileRefused` where SQLite does not give out the file; `.corrupt` where it uses no WAL, because
    ///   the database file does not say any more that there is one.
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

    /// After the connection is closed: SQLite closes the file through these operations.
    deinit {
        guarded.pointee.gathered?.deallocate()
        guarded.deallocate()
    }

    func preserve() {
        guarded.pointee.is_preserved = 1
    }

    // MARK: What SQLite calls

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
        // Other reads are of parts of the first page, of a file that may still be empty.
        guard let guarded = guarded(file), byteCount == guarded.pointee.page_bytes else { return result }
        // SQLITE_IOERR | (2 << 8): the macro is an expression Swift does not import.
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

    /// In WAL mode the exclusive lock is what the last connection takes to write its WAL back and remove it.
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
