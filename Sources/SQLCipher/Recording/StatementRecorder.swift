import StoreBasics

/// Keeps what the writing statements of a connection did, so that `StatementReplay` does the same to a database that
/// was the same before.
///
///     statement:  text, values, rows
///     text:       the number of one that came before (from 1), or 0, its length and its UTF-8: it gets the next number
///     values:     their number, and each as `RecordedValues` says
///     rows:       how many rows were written, those of foreign keys included; 0 where they were not counted
///
/// Numbers and lengths are LEB128. Only what wrote is recorded, or is as good as written (`Statement.recordUnrun`).
/// Numbers of texts begin anew with `forgetTexts`. Touched by the thread of its connection only.
package final class StatementRecorder {
    private var recorded: [UInt8]
    private let headBytes: Int
    /// By their numbers, which begin with 1.
    private var texts: [String] = []
    /// UTF-8 of all of them.
    private var textBytes = 0
    /// The first of them that what is recorded now has brought.
    private var newTexts = 0
    /// Which numbers of texts are meant; statements know theirs with it.
    private var textsNumber: UInt64 = 1
    private var isPaused = false
    /// A statement failed in the open transaction: it may have done a part of its work, which is not recorded and which
    /// SQLite does not count among the rows written.
    package private(set) var hasFailedStatement = false

    /// - Parameter headBytes: room that is kept before the first statement.
    package init(headBytes: Int = 0) {
        self.headBytes = headBytes
        recorded = [UInt8](repeating: 0, count: headBytes)
    }

    /// Nothing was written since it was last emptied.
    package var isEmpty: Bool { recorded.count == headBytes }

    /// Bytes of the statements.
    package var byteCount: Int { recorded.count - headBytes }

    /// The most that they can be after `forgetTexts`.
    package var byteCountMaxWrittenOut: Int { byteCount + textBytes + texts.count * Self.numberBytesMax }

    /// Of a number in LEB128.
    private static let numberBytesMax = 10

    /// The statements, behind the room for their head.
    package var bytes: ArraySlice<UInt8> { recorded[headBytes...] }

    /// Lends the head, the statements and `tailBytes` behind them, to be sealed where they are. They are gone
    /// afterwards; where `body` throws, they are to be discarded.
    package func take<Result, Failure: Error>(
        tailBytes: Int, _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        recorded.append(contentsOf: repeatElement(0, count: tailBytes))
        let result = try recorded.withUnsafeMutableBufferPointer { record throws(Failure) in
            try body(UnsafeMutableRawBufferPointer(record))
        }
        empty()
        return result
    }

    /// What was recorded has been rolled back, and the texts in it with it.
    package func discard() {
        if newTexts < texts.count {
            textBytes -= texts[newTexts...].reduce(0) { $0 + $1.utf8.count }
            texts.removeSubrange(newTexts...)
            // All statements: those whose texts stay get another number at their next use, which does no harm.
            textsNumber += 1
        }
        hasFailedStatement = false
        empty()
    }

    /// From here on every text is written out at its first use, in what is recorded already as well.
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

    /// Nothing is recorded meanwhile.
    package func whilePaused<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        isPaused = true
        defer { isPaused = false }
        return try body()
    }

    /// A statement has written.
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

    /// A statement failed, and its transaction is still open: no record is made of it.
    package func noteFailure() {
        guard !isPaused else { return }
        hasFailedStatement = true
    }

    /// SQL without parameters was run, which may have changed tables themselves: what that counts as rows is different
    /// from one SQLite to another.
    func record(sql: String) {
        guard !isPaused else { return }
        append(newText: sql)
        recorded += [0, 0]
    }

    /// What is kept for the next record.
    private static let keptBytesMax = 256 << 10

    private func append(newText sql: String) {
        texts.append(sql)
        textBytes += sql.utf8.count
        recorded.append(0)
        recorded.append(text: sql)
    }

    /// What comes next is another record.
    private func empty() {
        newTexts = texts.count
        recorded.removeAll(keepingCapacity: recorded.capacity <= Self.keptBytesMax)
        recorded.append(contentsOf: repeatElement(0, count: headBytes))
    }
}

/// Which number a text has, and among which texts.
struct RecordedText {
    let texts: UInt64
    let number: UInt64
}
