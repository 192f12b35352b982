import StoreBasics

/// A statement in the bytes of a record.
struct RecordedStatement {
    enum Text {
        /// The number, from 1, of a text in this or an earlier record.
        case known(Int)
        case new(String)
    }

    let text: Text
    let valueCount: Int
    let values: UnsafeRawBufferPointer
    /// The number of rows that the statement wrote, including rows written by foreign-key actions.
    let rows: Int
}

/// Reads statements from the beginning of a record's bytes. This value must not outlive the bytes.
struct RecordedStatements {
    static let malformed = SQLCipherError(kind: .malformedRecording, operation: "replay")

    private var reader: ByteReader

    init(_ bytes: UnsafeRawBufferPointer) {
        reader = ByteReader(bytes)
    }

    /// Returns the next statement, or `nil` at the end.
    ///
    /// - Throws: `.malformedRecording`.
    mutating func next() throws(SQLCipherError) -> RecordedStatement? {
        guard !reader.isAtEnd else { return nil }
        let text = try readText()
        guard let valueCount = reader.variableLength() else { throw Self.malformed }
        let start = reader
        for _ in 0..<valueCount {
            try skipValue()
        }
        let values = start.bytes(upTo: reader)
        guard let rows = reader.variableLength() else { throw Self.malformed }
        return RecordedStatement(text: text, valueCount: valueCount, values: values, rows: rows)
    }

    private mutating func readText() throws(SQLCipherError) -> RecordedStatement.Text {
        guard let number = reader.variableLength() else { throw Self.malformed }
        guard number == 0 else { return .known(number) }
        guard let sql = reader.text() else { throw Self.malformed }
        return .new(sql)
    }

    private mutating func skipValue() throws(SQLCipherError) {
        guard let kind = reader.byte().flatMap(RecordedValues.Kind.init) else { throw Self.malformed }
        switch kind {
        case .null: break
        case .integer:
            guard reader.leb128() != nil else { throw Self.malformed }
        case .text, .blob:
            guard let count = reader.variableLength(), reader.bytes(count) != nil else { throw Self.malformed }
        }
    }
}
