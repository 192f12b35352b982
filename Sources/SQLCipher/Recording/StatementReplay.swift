import StoreBasics

/// Runs recorded statements (see `StatementRecorder`) in the order of their records.
package final class StatementReplay {
    private let connection: Connection
    private var texts: [String] = []
    /// The prepared statements of the texts, prepared at first use.
    private var statements: [Statement?] = []

    package init(_ connection: Connection) {
        self.connection = connection
    }

    deinit {
        forgetTexts()
    }

    /// Starts a new table of texts, because the following records number their texts from 1 again.
    package func forgetTexts() {
        for statement in statements {
            statement?.finalize()
        }
        statements.removeAll()
        texts.removeAll()
    }

    /// Reads the texts of a record, to which later records refer by their numbers. Does not run the statements, because
    /// the database already contains their changes.
    ///
    /// - Throws: `.malformedRecording`.
    package func skip(_ record: UnsafeRawBufferPointer) throws(SQLCipherError) {
        try forEachStatement(record) { (_, _) throws(SQLCipherError) in }
    }

    /// Runs the statements of a record in the open transaction.
    ///
    /// - Throws: `.malformedRecording` for invalid bytes, `.replayDiverged` if a statement has another effect than when
    ///   it was recorded, and errors of the database. A part of the record may have been run.
    package func run(_ record: UnsafeRawBufferPointer) throws(SQLCipherError) {
        guard let recorder = connection.recorder else { return try runStatements(record) }
        try recorder.whilePaused { () throws(SQLCipherError) in try runStatements(record) }
    }

    private func runStatements(_ record: UnsafeRawBufferPointer) throws(SQLCipherError) {
        try forEachStatement(record) { recorded, text throws(SQLCipherError) in
            let writtenBefore = connection.totalChanges
            do throws(SQLCipherError) {
                if recorded.valueCount == 0 {
                    try connection.execute(texts[text])
                } else {
                    let statement = try statement(text)
                    try Self.bind(recorded, to: statement)
                    try statement.run()
                }
            } catch {
                // The statement violated no constraint when it was recorded, so a violation means that the database
                // differs.
                throw error.kind == .constraint ? Self.diverged : error
            }
            guard recorded.rows == 0 || connection.changes(since: writtenBefore) == recorded.rows else {
                throw Self.diverged
            }
        }
    }

    /// - Parameter body: is called for each statement, with the index of the statement's text.
    private func forEachStatement(
        _ record: UnsafeRawBufferPointer, _ body: (RecordedStatement, Int) throws(SQLCipherError) -> Void
    ) throws(SQLCipherError) {
        var statements = RecordedStatements(record)
        while let statement = try statements.next() {
            switch statement.text {
            case .new(let sql):
                texts.append(sql)
                self.statements.append(nil)
                try body(statement, texts.count - 1)
            case .known(let number):
                guard number <= texts.count else { throw RecordedStatements.malformed }
                try body(statement, number - 1)
            }
        }
    }

    private func statement(_ index: Int) throws(SQLCipherError) -> Statement {
        if let statement = statements[index] {
            return statement
        }
        let statement = try connection.prepare(texts[index])
        statements[index] = statement
        return statement
    }

    private static func bind(_ recorded: RecordedStatement, to statement: Statement) throws(SQLCipherError) {
        guard statement.parameterCount == recorded.valueCount else { throw RecordedStatements.malformed }
        var reader = ByteReader(recorded.values)
        var index = 0
        while let kind = reader.byte().flatMap(RecordedValues.Kind.init) {
            index += 1
            switch kind {
            case .null: statement.bindNull(index)
            case .integer:
                guard let number = reader.leb128() else { throw RecordedStatements.malformed }
                statement.bind(index, Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1))
            case .text, .blob:
                guard let count = reader.variableLength(), let bytes = reader.bytes(count) else {
                    throw RecordedStatements.malformed
                }
                if kind == .text {
                    statement.bindText(index, bytes)
                } else {
                    statement.bind(index, bytes)
                }
            }
        }
    }

    private static let diverged = SQLCipherError(kind: .replayDiverged, operation: "replay")
}
