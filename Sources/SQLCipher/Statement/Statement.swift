import CSQLCipher
import StoreBasics

/// A prepared statement of one connection, for the thread that uses that connection.
///
/// Bind, step until it returns false, `reset`. Parameters are numbered from 1 and columns from 0, as in SQLite.
package final class Statement {
    /// Constant, so that reading a column checks no exclusive access: that cost more than the column.
    private let pointer: OpaquePointer
    private var isFinalized = false
    private unowned let connection: Connection
    /// Lives as long as the statement, so that no other text can have its identity while it is a key of the cache.
    private let text: StatementText
    /// Of a statement that writes.
    let values: RecordedValues?
    /// What its text is called where it was recorded last.
    var recordedText: RecordedText?
    // SQLITE_TRANSIENT: SQLite copies the bytes during the call. The macro is a cast Swift does not import.
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

    /// Text of any content, NUL included. SQLite copies it into memory the statement keeps.
    package func bind(_ index: Int, _ value: String) {
        var value = value
        value.withUTF8 { bindText(index, UnsafeRawBufferPointer($0)) }
    }

    /// The same of bytes that are UTF-8.
    func bindText(_ index: Int, _ bytes: UnsafeRawBufferPointer) {
        values?.append(.text, bytes, at: index)
        // A nil pointer would bind NULL; an empty string must stay one.
        let characters = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) ?? Self.emptyText
        check(sqlite3_bind_text(pointer, Int32(index), characters, Int32(bytes.count), Self.transient))
    }

    /// Bytes that SQLite copies.
    package func bind(_ index: Int, _ value: [UInt8]) {
        value.withUnsafeBytes { bind(index, $0) }
    }

    /// Bytes that SQLite copies.
    package func bind(_ index: Int, _ bytes: UnsafeRawBufferPointer) {
        values?.append(.blob, bytes, at: index)
        if bytes.isEmpty {
            check(sqlite3_bind_zeroblob(pointer, Int32(index), 0))
        } else {
            check(sqlite3_bind_blob(pointer, Int32(index), bytes.baseAddress, Int32(bytes.count), Self.transient))
        }
    }

    // MARK: Running

    /// - Parameter verifying: false for rows that are no data and are wanted also where a page was refused; call
    ///   `Connection.verifyPagesRead` after them.
    /// - Returns: true when there is a row to read, false at the end.
    package func step(verifying: Bool = true) throws(SQLCipherError) -> Bool {
        precondition(!isFinalized, "a statement must not be used after it was finalized")
        guard let values, let recorder = connection.recorder else { return try step(verifying) }
        let writtenBefore = connection.totalChanges
        let hasRow: Bool
        do throws(SQLCipherError) {
            hasRow = try step(verifying)
        } catch {
            connection.noteFailedWrite(error)
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
            // A refused page may have hidden a row. Outside of a transaction its end has forgotten the failure.
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

    /// Records the statement with its values as one that has written a row, and does not run it.
    ///
    /// - Returns: false where nobody records.
    package func recordUnrun() -> Bool {
        guard let values, let recorder = connection.recorder else { return false }
        recorder.record(self, values, rows: 1)
        reset()
        return true
    }

    /// Steps a statement that gives no rows, and resets it.
    package func run() throws(SQLCipherError) {
        _ = try step()
        reset()
    }

    /// Makes the statement ready to run again; parameters keep their values, but those of a statement that writes only
    /// while they are small: it is kept for long.
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

    /// The column's UTF-8 bytes in SQLite's own memory: valid until the next `step` or `reset`.
    ///
    /// - Throws: `.corrupt` for bytes that are not UTF-8: nothing but UTF-8 is ever bound, so a page that is authentic
    ///   but of another time stands where this one was.
    package func borrowedText(_ column: Int) throws(SQLCipherError) -> UnsafeRawBufferPointer {
        // sqlite3_column_text before sqlite3_column_bytes, as https://www.sqlite.org/c3ref/column_blob.html asks.
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

    /// The column's bytes in SQLite's own memory: valid until the next `step` or `reset`.
    package func borrowedBytes(_ column: Int) -> UnsafeRawBufferPointer {
        let blob = sqlite3_column_blob(pointer, Int32(column))
        let count = Int(sqlite3_column_bytes(pointer, Int32(column)))
        return UnsafeRawBufferPointer(start: blob, count: blob == nil ? 0 : count)
    }

    // Never written to and never freed: SQLite needs some non-nil address for an empty text.
    nonisolated(unsafe) private static let emptyText: UnsafePointer<CChar> = {
        let pointer = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
        pointer.initialize(to: 0)
        return UnsafePointer(pointer)
    }()

    /// Binding fails only for a wrong index or a running statement (programmer errors) or values over SQLite's limit
    /// of a billion bytes, which no caller's own limits let through.
    private func check(_ result: Int32) {
        precondition(result == SQLITE_OK, "a parameter was bound wrongly: sqlite result code \(result)")
    }
}

/// A fixed piece of SQL that connections prepare once and keep. Clients never supply any of it.
///
/// A class, so that its identity is the key of the statement cache: no hashing of SQL on the hot path. Make each one
/// once, as a constant: what a connection has prepared it keeps, and the text with it.
///
/// An `UPDATE` is an `UPDATE OR FAIL`: so that it can take back what a statement has done before it fails, SQLite keeps
/// every page that a plain one or an `INSERT OR REPLACE` changes, encrypted anew, in a statement journal
/// (https://www.sqlite.org/tempfiles.html#statement_journal_files). One that changes a single row has nothing to take
/// back, and after any other that fails the whole transaction is rolled back.
package final class StatementText: Sendable {
    package let sql: String

    package init(_ sql: String) {
        self.sql = sql
    }
}
