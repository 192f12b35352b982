import CSQLCipher
import Glibc

/// A page-by-page copy of an open database into another keyed database, while the source stays in use.
///
/// Both ends are `Connection`s, so both are keyed: SQLCipher 3.4.1 would write plaintext into a database without a key.
/// Writes made through the source connection between steps reach the copy, too; see
/// https://www.sqlite.org/c3ref/backup_finish.html.
package struct OnlineBackup: ~Copyable {
    private var pointer: OpaquePointer?
    private let source: Connection
    private let destination: Connection

    package enum Step: Hashable, Sendable {
        case more
        case finished
        /// The source or the destination is locked at the moment; try again later.
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

    /// Copies up to `pages` pages, or all remaining pages if `pages` is negative.
    ///
    /// - Throws: `.corrupt`, `.pageRefused` if a page of the source was changed or cannot be authenticated.
    package mutating func step(pages: Int) throws(SQLCipherError) -> Step {
        // Copy inside a transaction of the source. Without it, SQLCipher forgets at the end of the step that a page did
        // not authenticate.
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

    /// The number of pages that remained to be copied after the last step. `totalPages` is the number of all pages at
    /// that time.
    package var remainingPages: Int { Int(sqlite3_backup_remaining(pointer)) }
    package var totalPages: Int { Int(sqlite3_backup_pagecount(pointer)) }
}
