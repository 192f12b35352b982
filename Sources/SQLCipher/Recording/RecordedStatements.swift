import StoreBasics

/// A statement of a record, as it stands in the record's bytes.
struct RecordedStatement {
    enum Text {
        /// From 1, among those of the records before.
        case known(Int)
        case new(String)
    }

    let text: Text
    let valueCount: Int
    let values: UnsafeRawBufferPointer
    /// That it wrote, those of foreign keys included.
    let rows: Int
}

/// Takes the statements off the front of a record's bytes, which it must not outlive.
struct RecordedStatements {
    static let malformed = SQLCipherError(kind: .malformedRecording, operation: "replay")

    private var reader: ByteReader

    init(_ bytes: UnsafeRawBufferPointer) {
        reader = ByteReader(bytes)
    }

    /// - Returns: `nil` at the end.
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
