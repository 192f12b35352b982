import SQLCipher
import StoreBasics

/// The rows of a running statement, one at a time. When this value ends, the statement is reset, so that a scope may
/// stop reading at any row. Borrowed columns must not outlive this value.
struct Rows: ~Copyable {
    private let statement: Statement

    @inline(__always)
    fileprivate init(_ statement: Statement) {
        self.statement = statement
    }

    deinit {
        statement.reset()
    }

    /// Advances to the next row.
    ///
    /// - Parameter verifying: see `Statement.step`.
    /// - Returns: false at the end.
    @inline(__always)
    func next(verifying: Bool = true) throws(StoreError) -> Bool {
        try mapped(statement.step(verifying: verifying))
    }

    // MARK: Columns of the current row, numbered from 0

    func isNull(_ column: Int) -> Bool { statement.isNull(column) }

    func integer(_ column: Int) -> Int64 { statement.integer(column) }

    func optionalInteger(_ column: Int) -> Int64? { statement.isNull(column) ? nil : statement.integer(column) }

    /// Returns the value of a column that was bound as a `DeviceColumn`.
    func device(_ column: Int) -> UInt64 { UInt64(bitPattern: statement.integer(column)) }

    func optionalUnsigned(_ column: Int) -> UInt64? { isNull(column) ? nil : unsigned(column) }

    func optionalDevice(_ column: Int) -> UInt64? { isNull(column) ? nil : device(column) }

    func int(_ column: Int) -> Int { Int(statement.integer(column)) }

    /// Returns a value that is never negative in an undamaged store; 0 if it is negative.
    func unsigned(_ column: Int) -> UInt64 { UInt64(max(0, statement.integer(column))) }

    /// Returns a count or a sequential number, which is not negative and so small that arithmetic cannot overflow.
    ///
    /// - Throws: `.databaseDamaged` if the value is outside these limits.
    func count(_ column: Int) throws(StoreError) -> Int64 {
        let number = statement.integer(column)
        guard (0...Self.countMax).contains(number) else {
            throw .databaseDamaged("a count or a sequence number is negative or impossibly large")
        }
        return number
    }

    /// The largest count. No store reaches it: with a million increments a second it would take 36,000 years.
    static let countMax: Int64 = 1 << 60

    func bool(_ column: Int) -> Bool { statement.integer(column) != 0 }

    func timestamp(_ column: Int) -> Timestamp { Timestamp(microseconds: statement.integer(column)) }

    func optionalTimestamp(_ column: Int) -> Timestamp? { isNull(column) ? nil : timestamp(column) }

    /// - Throws: `.databaseDamaged` if the bytes are not UTF-8; the other functions that return text do the same.
    func text(_ column: Int) throws(StoreError) -> String {
        try mapped(statement.text(column))
    }

    func optionalText(_ column: Int) throws(StoreError) -> String? {
        isNull(column) ? nil : try text(column)
    }

    func name<Kind>(_ column: Int) throws(StoreError) -> Name<Kind> {
        Name(trusted: try text(column))
    }

    /// Returns UTF-8 in SQLite's own memory, valid until the next row or the end of this value.
    @inline(__always)
    func borrowedText(_ column: Int) throws(StoreError) -> UnsafeRawBufferPointer {
        try mapped(statement.borrowedText(column))
    }

    @inline(__always)
    func optionalBorrowedText(_ column: Int) throws(StoreError) -> UnsafeRawBufferPointer? {
        isNull(column) ? nil : try borrowedText(column)
    }

    func bytes(_ column: Int) -> [UInt8] { statement.bytes(column) }

    /// Returns bytes in SQLite's own memory, valid until the next row or the end of this value.
    func borrowedBytes(_ column: Int) -> UnsafeRawBufferPointer { statement.borrowedBytes(column) }
}

/// Functions that run a statement in one line, from its text and the values of its parameters in the order of their
/// numbers.
extension Connection {
    /// Runs a statement that returns no rows.
    @inline(__always)
    func run<each Value: Bindable>(_ text: StatementText, _ value: repeat each Value) throws(StoreError) {
        let statement = try bound(text, repeat each value)
        try mapped(statement.run())
    }

    /// Runs a statement, or only records it in the journal if it may be deferred and a recorder is active. If the
    /// statement was only recorded, the caller must change the rows as the statement would have done.
    ///
    /// - Returns: `true` if the statement was only recorded.
    @inline(__always)
    func runLater<each Value: Bindable>(
        if mayWait: Bool, _ text: StatementText, _ value: repeat each Value
    ) throws(StoreError) -> Bool {
        let statement = try bound(text, repeat each value)
        if mayWait, statement.recordUnrun() { return true }
        try mapped(statement.run())
        return false
    }

    /// Runs a statement that may violate a unique constraint.
    ///
    /// - Returns: `false` if a row with this key already exists; nothing was written then.
    @inline(__always)
    func runUnlessDuplicate<each Value: Bindable>(
        _ text: StatementText, _ value: repeat each Value
    ) throws(StoreError) -> Bool {
        let statement = try bound(text, repeat each value)
        do throws(SQLCipherError) {
            try statement.run()
            return true
        } catch {
            guard error.isUniqueViolation else { throw StoreError(error) }
            return false
        }
    }

    /// Updates the row of a key, or inserts it if it does not exist.
    func runOrInsert<each Value: Bindable>(
        _ update: StatementText, _ insert: StatementText, _ value: repeat each Value
    ) throws(StoreError) {
        let changesBefore = totalChanges
        try run(update, repeat each value)
        if totalChanges == changesBefore {
            try run(insert, repeat each value)
        }
    }

    /// Runs a query and returns its rows, positioned before the first one.
    @inline(__always)
    func rows<each Value: Bindable>(_ text: StatementText, _ value: repeat each Value) throws(StoreError) -> Rows {
        Rows(try bound(text, repeat each value))
    }

    /// Returns the first row of a query; `nil` without a row.
    @inline(__always)
    func first<each Value: Bindable>(_ text: StatementText, _ value: repeat each Value) throws(StoreError) -> Rows? {
        let rows = Rows(try bound(text, repeat each value))
        guard try rows.next() else { return nil }
        return consume rows
    }

    @inline(__always)
    private func bound<each Value: Bindable>(
        _ text: StatementText, _ value: repeat each Value
    ) throws(StoreError) -> Statement {
        let statement = try mapped(statement(text))
        var index = 1
        for value in repeat each value {
            value.bind(to: statement, &index)
        }
        return statement
    }
}
