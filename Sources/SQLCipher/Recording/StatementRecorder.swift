import StoreBasics

/// Records the effects of a connection's writing statements, so that `StatementReplay` can repeat them on a database
/// with the same previous content.
///
///     statement:  text, values, rows
///     text:       the number of an earlier text (from 1); or 0, length and UTF-8 for a text that gets the next number
///     values:     their number, and each as described in `RecordedValues`
///     rows:       the number of rows written, including rows written by foreign keys; 0 if not counted
///
/// Numbers and lengths are LEB128. Two kinds of statements are recorded: statements that wrote something, and
/// statements that `Statement.recordUnrun` records without running them. After `forgetTexts`, texts are numbered from 1
/// again. Only the thread of the connection may use the recorder.
package final class StatementRecorder {
    private var recorded: [UInt8]
    private let headBytes: Int
    /// The texts in the order of their numbers, which begin with 1.
    private var texts: [String] = []
    /// The total UTF-8 size of the texts.
    private var textBytes = 0
    /// The index of the first text that the current record introduces.
    private var newTexts = 0
    /// The number of the current table of texts. A statement's text number is valid only for the table in which it was
    /// assigned.
    private var textsNumber: UInt64 = 1
    private var isPaused = false
    /// True if a statement failed in the open transaction. It may have written a part of its changes, which are neither
    /// recorded nor counted by SQLite.
    package private(set) var hasFailedStatement = false

    /// - Parameter headBytes: the space that is reserved before the first statement.
    package init(headBytes: Int = 0) {
        self.headBytes = headBytes
        recorded = [UInt8](repeating: 0, count: headBytes)
    }

    /// True if nothing was recorded since the last record.
    package var isEmpty: Bool { recorded.count == headBytes }

    /// The size of the recorded statements in bytes, without the reserved head.
    package var byteCount: Int { recorded.count - headBytes }

    /// The largest size that the recorded statements may have after `forgetTexts`.
    package var byteCountMaxWrittenOut: Int { byteCount + textBytes + texts.count * Self.numberBytesMax }

    /// The most bytes of a LEB128 number.
    private static let numberBytesMax = 10

    /// The recorded statements without the reserved head.
    package var bytes: ArraySlice<UInt8> { recorded[headBytes...] }

    /// Lends the head, the statements and `tailBytes` additional bytes to `body`, which may seal them in place. The
    /// recorder is empty afterwards. If `body` throws, the caller must discard the record.
    package func finishRecord<Result, Failure: Error>(
        tailBytes: Int, _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        recorded.append(contentsOf: repeatElement(0, count: tailBytes))
        let result = try recorded.withUnsafeMutableBufferPointer { record throws(Failure) in
            try body(UnsafeMutableRawBufferPointer(record))
        }
        empty()
        return result
    }

    /// Discards the recorded statements and their new texts after a rollback.
    package func discard() {
        if newTexts < texts.count {
            textBytes -= texts[newTexts...].reduce(0) { $0 + $1.utf8.count }
            texts.removeSubrange(newTexts...)
            // A new number of the table invalidates the numbers of all texts. The remaining texts get new numbers at
            // their next use, which is harmless.
            textsNumber += 1
        }
        hasFailedStatement = false
        empty()
    }

    /// Starts a new table of texts, in which every text is written out at its first use. Rewrites the current record
    /// accordingly.
    package func forgetTexts() throws(SQLCipherError) {
        let before = texts
        let bytes = Array(bytes)
        textsNumber += 1
        texts.removeAll()
        textBytes = 0
        newTexts = 0
        recorded.removeSubrange(headBytes...)
        try bytes.withUnsafeBufferPointer { bytes throws(SQLCipherError) in
            try writeOut(UnsafeRawBufferPointer(bytes), textsBefore: before)
        }
    }

    private func writeOut(_ bytes: UnsafeRawBufferPointer, textsBefore: [String]) throws(SQLCipherError) {
        var numbers: [String: UInt64] = [:]
        var statements = RecordedStatements(bytes)
        while let statement = try statements.next() {
            let sql =
                switch statement.text {
                case .known(let number): textsBefore[number - 1]
                case .new(let sql): sql
                }
            if let number = numbers[sql] {
                recorded.append(leb128: number)
            } else {
                append(newText: sql)
                numbers[sql] = UInt64(texts.count)
            }
            recorded.append(variableLength: statement.valueCount)
            recorded.append(contentsOf: statement.values)
            recorded.append(variableLength: statement.rows)
        }
    }

    /// Runs `body` without recording its statements.
    package func whilePaused<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        isPaused = true
        defer { isPaused = false }
        return try body()
    }

    /// Records a statement that has written rows.
    func record(_ statement: Statement, _ values: RecordedValues, rows: Int) {
        guard !isPaused else { return }
        if let text = statement.recordedText, text.texts == textsNumber {
            recorded.append(leb128: text.number)
        } else {
            append(newText: statement.sql)
            statement.recordedText = RecordedText(texts: textsNumber, number: UInt64(texts.count))
        }
        recorded.append(variableLength: values.count)
        recorded += values.bytes
        recorded.append(variableLength: rows)
    }

    /// Records that a statement failed while its transaction is still open.
    package func recordFailure() {
        guard !isPaused else { return }
        hasFailedStatement = true
    }

    /// Records SQL without parameters, which may have changed the schema. Its rows are not compared in a replay,
    /// because versions of SQLite count them differently.
    func record(sql: String) {
        guard !isPaused else { return }
        append(newText: sql)
        recorded += [0, 0]
    }

    /// The most capacity that is kept for the next record.
    private static let keptBytesMax = 256 << 10

    private func append(newText sql: String) {
        texts.append(sql)
        textBytes += sql.utf8.count
        recorded.append(0)
        recorded.append(text: sql)
    }

    /// Removes the record and prepares for the next one.
    private func empty() {
        newTexts = texts.count
        recorded.removeAll(keepingCapacity: recorded.capacity <= Self.keptBytesMax)
        recorded.append(contentsOf: repeatElement(0, count: headBytes))
    }
}

/// The number of a text, and the table in which it is valid.
struct RecordedText {
    let texts: UInt64
    let number: UInt64
}
