import SQLCipher
import StoreBasics

/// The rows of a running statement, one at a time. The end of this value resets the statement, so that a scope reads as
/// far as it likes: what is borrowed of a row must not outlive it.
struct Rows: ~Copyable {
    private let statement: Statement

    @inline(__always)
    fileprivate init(_ statement: Statement) {
        self.statement = statement
    }

    deinit {
        statement.reset()
    }

    /// Goes to the next row.
    ///
    /// - Parameter verifying: see `Statement.step`.
    /// - Returns: false at the end.
    @inline(__always)
    func next(verifying: Bool = true) throws(StoreError) -> Bool {
        try mapped(statement.step(verifying: verifying))
    }

    // MARK: Columns of the current row, from 0

    func isNull(_ column: Int) -> Bool { statement.isNull(column) }

    func integer(_ column: Int) -> Int64 { statement.integer(column) }

    func optionalInteger(_ column: Int) -> Int64? { statement.isNull(column) ? nil : statement.integer(column) }

    /// What was bound as a `DeviceColumn`.
    func device(_ column: Int) -> UInt64 { UInt64(bitPattern: statement.integer(column)) }

    func optionalUnsigned(_ column: Int) -> UInt64? { isNull(column) ? nil : unsigned(column) }

    func optionalDevice(_ column: Int) -> UInt64? { isNull(column) ? nil : device(column) }

    func int(_ column: Int) -> Int { Int(statement.integer(column)) }

    /// What is never negative unless it is damaged, which is 0 then.
    func unsigned(_ column: Int) -> UInt64 { UInt64(max(0, statement.integer(column))) }

    /// What is counted or counts on: not negative, and far from where counting on would overflow.
    ///
    /// - Throws: `.databaseDamaged`.
    func count(_ column: Int) throws(StoreError) -> Int64 {
        let number = statement.integer(column)
        guard (0...Self.countMax).contains(number) else {
            throw .databaseDamaged("a number is negative or impossibly large")
        }
        return number
    }

    /// What no store comes to: a million a second take 36,000 years.
    static let countMax: Int64 = 1 << 60

    func bool(_ column: Int) -> Bool { statement.integer(column) != 0 }

    func timestamp(_ column: Int) -> Timestamp { Timestamp(microseconds: statement.integer(column)) }

    func optionalTimestamp(_ column: Int) -> Timestamp? { isNull(column) ? nil : timestamp(column) }

    /// - Throws: `.databaseDamaged` for bytes that are not UTF-8; so do all that give text.
    func text(_ column: Int) throws(StoreError) -> String {
        try mapped(statement.text(column))
    }

    func optionalText(_ column: Int) throws(StoreError) -> String? {
        isNull(column) ? nil : try text(column)
    }

    func name<Kind>(_ column: Int) throws(StoreError) -> Name<Kind> {
        Name(trusted: try text(column))
    }

    /// UTF-8 in SQLite's own memory: valid until the next row and the end of this.
    @inline(__always)
    func borrowedText(_ column: Int) throws(StoreError) -> UnsafeRawBufferPointer {
        try mapped(statement.borrowedText(column))
    }

    @inline(__always)
    func optionalBorrowedText(_ column: Int) throws(StoreError) -> UnsafeRawBufferPointer? {
        isNull(column) ? nil : try borrowedText(column)
    }

    func bytes(_ column: Int) -> [UInt8] { statement.bytes(column) }

    /// The same kind of memory as that of `borrowedText`.
    func borrowedBytes(_ column: Int) -> UnsafeRawBufferPointer { statement.borrowedBytes(column) }
}

/// A statement in one line: its text, and the values of its parameters in the order of their numbers.
extension Connection {
    /// Runs a statement that gives no rows.
    @inline(__always)
    func run<each Value: Bindable>(_ text: StatementText, _ value: repeat each Value) throws(StoreError) {
        let statement = try bound(text, repeat each value)
        try mapped(statement.run())
    }

    /// The same, or where it may wait and somebody records, records it alone: who asks for that does to the rows what
    /// it would have done.
    ///
    /// - Returns: whether it waits.
    @inline(__always)
    func runLater<each Value: Bindable>(
        if mayWait: Bool, _ text: StatementText, _ value: repeat each Value
    ) throws(StoreError) -> Bool {
        let statement = try bound(text, repeat each value)
        if mayWait, statement.recordUnrun() { return true }
        try mapped(statement.run())
        return false
    }

    /// The same as `run`, where a name may be taken already.
    ///
    /// - Returns: false when a row with such a name is there; nothing has been written then.
    @inline(__always)
    func runUnlessTaken<each Value: Bindable>(
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

    /// Changes the row of a key, or makes it.
    func runOrInsert<each Value: Bindable>(
        _ update: StatementText, _ insert: StatementText, _ value: repeat each Value
    ) throws(StoreError) {
        let changesBefore = totalChanges
        try run(update, repeat each value)
        if totalChanges == changesBefore {
            try run(insert, repeat each value)
        }
    }

    /// The rows of a query; the first is not read yet.
    @inline(__always)
    func rows<each Value: Bindable>(_ text: StatementText, _ value: repeat each Value) throws(StoreError) -> Rows {
        Rows(try bound(text, repeat each value))
    }

    /// The first row of a query; `nil` without one.
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
