import CSQLCipher
import Glibc

/// A page-by-page copy of an open database into another keyed database, while the source stays in use.
///
/// Both ends are `Connection`s, so both are keyed: SQLCipher 3.4.1 would write plaintext into an unkeyed one.
/// Writes made through the source connection between steps reach the copy too; see
/// https://www.sqlite.org/c3ref/backup_finish.html.
package struct OnlineBackup: ~Copyable {
    private var pointer: OpaquePointer?
    private let source: Connection
    private let destination: Connection

    package enum Step: Hashable, Sendable {
        case more
        case finished
        /// The source or the destination is locked at the moment; try again.
        case busy
    }

    package init(from source: Connection, to destination: Connection) throws(SQLCipherError) {
        self.source = source
        self.destination = destination
        pointer = sqlite3_backup_init(destination.handle, "main", source.handle, "main")
        if pointer == nil {
            throw destination.lastError("backup")
        }
    }

    deinit {
        sqlite3_backup_finish(pointer)
    }

    /// Copies up to `pages` pages; all that are left when negative.
    ///
    /// - Throws: `.corrupt`, `.pageRefused` where a page of the source is not as it was written.
    package mutating func step(pages: Int) throws(SQLCipherError) -> Step {
        // Inside a transaction of the source, so that its end does not forget a page that did not authenticate.
        try source.execute("BEGIN")
        defer { source.rollBack() }
        try source.verifyPagesRead()
        let step = try copy(pages: pages)
        try source.verifyPagesRead()
        return step
    }

    private mutating func copy(pages: Int) throws(SQLCipherError) -> Step {
        let result = sqlite3_backup_step(pointer, Int32(pages))
        switch result {
        case SQLITE_OK: return .more
        case SQLITE_DONE: return .finished
        case SQLITE_BUSY, SQLITE_LOCKED: return .busy
        default: throw SQLCipherError(extendedCode: result, systemErrors: [errno], operation: "backup step")
        }
    }

    /// Pages still to copy and pages in all, as of the last step.
    package var remainingPages: Int { Int(sqlite3_backup_remaining(pointer)) }
    package var totalPages: Int { Int(sqlite3_backup_pagecount(pointer)) }
}
