import CSQLCipher
import StoreBasics

/// A prepared statement of one connection. Only the thread that uses the connection may use it.
///
/// Bind the parameters, call `step` until it returns false, then call `reset`. Parameters are numbered from 1 and
/// columns from 0, as in SQLite.
package final class Statement {
    /// A constant, because the exclusivity check of a variable costs more than reading a column.
    private let pointer: OpaquePointer
    private var isFinalized = false
    private unowned let connection: Connection
    /// Kept as long as the statement, so that no other text can have the same identity while this text is a key of the
    /// cache.
    private let text: StatementText
    /// The bound values of a statement that writes; `nil` for other statements.
    let values: RecordedValues?
    /// The number of the text in the recorder's table of texts; `nil` before the statement is recorded for the first
    /// time.
    var recordedText: RecordedText?
    // SQLITE_TRANSIENT: SQLite copies the bytes during the call. Swift does not import the macro, which is a cast.
    private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    init(connection: Connection, text: StatementText) throws(SQLCipherError) {
        self.connection = connection
        self.text = text
        var pointer: OpaquePointer?
        let result = sqlite3_prepare_v2(connection.handle, text.sql, -1, &pointer, nil)
        guard result == SQLITE_OK, let pointer else { throw connection.lastError("prepare") }
        self.pointer = pointer
        // https://www.sqlite.org/c3ref/stmt_readonly.html
        values = sqlite3_stmt_readonly(pointer) == 0 ? RecordedValues() : nil
    }

    var sql: String { text.sql }

    var parameterCount: Int { Int(sqlite3_bind_parameter_count(pointer)) }

    deinit {
        finalize()
    }

    package func finalize() {
        guard !isFinalized else { return }
        isFinalized = true
        sqlite3_finalize(pointer)
    }

    // MARK: Parameters

    package func bind(_ index: Int, _ value: Int64) {
        values?.append(value, at: index)
        check(sqlite3_bind_int64(pointer, Int32(index), value))
    }

    package func bindNull(_ index: Int) {
        values?.appendNull(at: index)
        check(sqlite3_bind_null(pointer, Int32(index)))
    }

    /// Binds any text, including NUL bytes. SQLite copies it.
    package func bind(_ index: Int, _ value: String) {
        var value = value
        value.withUTF8 { bindText(index, UnsafeRawBufferPointer($0)) }
    }

    /// Binds bytes that are valid UTF-8 as text.
    func bindText(_ index: Int, _ bytes: UnsafeRawBufferPointer) {
        values?.append(.text, bytes, at: index)
        // A null pointer would bind NULL instead of an empty string.
        let characters = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) ?? Self.emptyText
        check(sqlite3_bind_text(pointer, Int32(index), characters, Int32(bytes.count), Self.transient))
    }

    /// Binds bytes. SQLite copies them.
    package func bind(_ index: Int, _ value: [UInt8]) {
        value.withUnsafeBytes { bind(index, $0) }
    }

    /// Binds bytes. SQLite copies them.
    package func bind(_ index: Int, _ bytes: UnsafeRawBufferPointer) {
        values?.append(.blob, bytes, at: index)
        if bytes.isEmpty {
            check(sqlite3_bind_zeroblob(pointer, Int32(index), 0))
        } else {
            check(sqlite3_bind_blob(pointer, Int32(index), bytes.baseAddress, Int32(bytes.count), Self.transient))
        }
    }

    // MARK: Running

    /// Advances to the next row.
    ///
    /// - Parameter verifying: false to skip the check that the pages read so far are authentic. Only for rows that are
    ///   not data and are needed even after a page did not authenticate; call `Connection.verifyPagesRead` after
    ///   reading them.
    /// - Returns: true if there is a row to read, false at the end.
    package func step(verifying: Bool = true) throws(SQLCipherError) -> Bool {
        precondition(!isFinalized, "a statement must not be used after it was finalized")
        guard let values, let recorder = connection.recorder else { return try step(verifying) }
        let writtenBefore = connection.totalChanges
        let hasRow: Bool
        do throws(SQLCipherError) {
            hasRow = try step(verifying)
        } catch {
            connection.recordFailedWrite(error)
            throw error
        }
        let rows = connection.changes(since: writtenBefore)
        if rows > 0 {
            recorder.record(self, values, rows: rows)
        }
        return hasRow
    }

    @inline(__always)
    private func step(_ verifying: Bool) throws(SQLCipherError) -> Bool {
        let result = sqlite3_step(pointer)
        switch result {
        case SQLITE_ROW:
            if verifying, connection.hasUnverifiedPages {
                try verifyPagesRead()
            }
            return true
        case SQLITE_DONE:
            // A page that did not authenticate may have hidden a row. Outside a transaction this check would be too
            // late, because SQLCipher has already forgotten the failure.
            if verifying, connection.hasUnverifiedPages, !connection.isInAutocommit {
                try verifyPagesRead()
            }
            return false
        default:
            let error = connection.lastError("step")
            reset()
            throw error
        }
    }

    private func verifyPagesRead() throws(SQLCipherError) {
        do throws(SQLCipherError) {
            try connection.verifyPagesRead()
        } catch {
            reset()
            throw error
        }
    }

    /// Records the statement as if it had written one row, without running it.
    ///
    /// - Returns: false if the connection has no recorder.
    package func recordUnrun() -> Bool {
        guard let values, let recorder = connection.recorder else { return false }
        recorder.record(self, values, rows: 1)
        reset()
        return true
    }

    /// Runs a statement that returns no rows, and resets it.
    package func run() throws(SQLCipherError) {
        _ = try step()
        reset()
    }

    /// Resets the statement so that it can run again. Parameters keep their values. Large values of a writing statement
    /// are cleared, because the statement is kept for long.
    package func reset() {
        sqlite3_reset(pointer)
        if let values, values.releaseIfLarge() {
            sqlite3_clear_bindings(pointer)
        }
    }

    // MARK: Columns of the current row

    package func isNull(_ column: Int) -> Bool {
        sqlite3_column_type(pointer, Int32(column)) == SQLITE_NULL
    }

    package func integer(_ column: Int) -> Int64 {
        sqlite3_column_int64(pointer, Int32(column))
    }

    /// Returns the column's UTF-8 bytes in SQLite's own memory, valid until the next `step` or `reset`.
    ///
    /// - Throws: `.corrupt` for bytes that are not UTF-8. Only UTF-8 is ever bound, so an older authentic page must
    ///   have replaced this one.
    package func borrowedText(_ column: Int) throws(SQLCipherError) -> UnsafeRawBufferPointer {
        // Call sqlite3_column_text before sqlite3_column_bytes, as https://www.sqlite.org/c3ref/column_blob.html
        // requires.
        let text = sqlite3_column_text(pointer, Int32(column))
        let count = text == nil ? 0 : Int(sqlite3_column_bytes(pointer, Int32(column)))
        let bytes = UnsafeRawBufferPointer(start: text, count: count)
        guard bytes.isUTF8 else { throw SQLCipherError(kind: .corrupt, operation: "text") }
        return bytes
    }

    /// - Throws: `.corrupt` for bytes that are not UTF-8.
    package func text(_ column: Int) throws(SQLCipherError) -> String {
        String(decoding: try borrowedText(column), as: UTF8.self)
    }

    package func bytes(_ column: Int) -> [UInt8] {
        [UInt8](borrowedBytes(column))
    }

    /// Returns the column's bytes in SQLite's own memory, valid until the next `step` or `reset`.
    package func borrowedBytes(_ column: Int) -> UnsafeRawBufferPointer {
        let blob = sqlite3_column_blob(pointer, Int32(column))
        let count = Int(sqlite3_column_bytes(pointer, Int32(column)))
        return UnsafeRawBufferPointer(start: blob, count: blob == nil ? 0 : count)
    }

    // Safe because it is never written to and never freed. SQLite needs a non-null address for an empty text.
    nonisolated(unsafe) private static let emptyText: UnsafePointer<CChar> = {
        let pointer = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
        pointer.initialize(to: 0)
        return UnsafePointer(pointer)
    }()

    /// Checks the result of a binding. A binding fails only for a wrong index or a running statement (programming
    /// errors), or for values above SQLite's limit of a billion bytes, which the callers' own limits exclude.
    private func check(_ result: Int32) {
        precondition(result == SQLITE_OK, "a parameter was bound wrongly: sqlite result code \(result)")
    }
}

/// A fixed piece of SQL that connections prepare once and keep. It never contains input of clients.
///
/// A class, so that its identity is the key of the statement cache, which avoids hashing SQL on the hot path. Create
/// each one once, as a constant, because connections keep prepared statements and their texts.
///
/// An `UPDATE` must be an `UPDATE OR FAIL`. For a plain `UPDATE` or an `INSERT OR REPLACE`, SQLite writes every page
/// that it changes, encrypted again, to a statement journal, so that it can undo a failed statement
/// (https://www.sqlite.org/tempfiles.html#statement_journal_files). A statement that changes a single row has nothing
/// to undo. After any other failed statement, the whole transaction is rolled back.
package final class StatementText: Sendable {
    package let sql: String

    package init(_ sql: String) {
        self.sql = sql
    }
}
