import StoreBasics
import TestBasics
import Testing

@testable import SQLCipher

/// Replaying the records of one database makes another database equal to it.
@Suite struct RecordingTests {
    private static let insert = StatementText("INSERT INTO notes (number, body, data) VALUES (?1, ?2, ?3)")
    private static let update = StatementText("UPDATE notes SET body = ?1 WHERE number = ?2")

    private let pair: DatabasePair

    init() throws {
        pair = try DatabasePair()
    }

    @Test(arguments: [0, 1, -1, 63, 64, -64, -65, 8_191, 8_192, Int64(UInt32.max), .max, .min])
    func `integers are replayed unchanged`(number: Int64) throws {
        try pair.insert(number, nil, nil)
        try pair.replay()
        #expect(try pair.rows(pair.replica) == ["\(number)|null|null"])
    }

    @Test(arguments: [
        "", "a", "größt", "with\0zero", String(repeating: "x", count: 127), String(repeating: "é", count: 90_000),
    ])
    func `texts are replayed unchanged`(text: String) throws {
        try pair.insert(1, text, nil)
        try pair.replay()
        #expect(try pair.rows(pair.replica) == pair.rows(pair.original))
        #expect(try pair.replica.integer("SELECT typeof(body) = 'text' FROM notes") == 1)
        #expect(try pair.replica.integer("SELECT length(CAST(body AS BLOB)) FROM notes") == Int64(text.utf8.count))
    }

    @Test(arguments: [0, 1, 127, 128, 16_384, 1 << 20]) func `blobs are replayed unchanged`(count: Int) throws {
        var random = SplitMix(seed: 2)
        try pair.insert(1, nil, random.bytes(count))
        try pair.replay()
        #expect(try pair.rows(pair.replica) == pair.rows(pair.original))
        #expect(try pair.replica.integer("SELECT typeof(data) = 'blob' FROM notes") == 1)
    }

    @Test func `records of many statements give the same rows, whatever statements run between them`() throws {
        for round in 0..<5 {
            for number in 0..<20 {
                try pair.insert(Int64(round * 20 + number), "text \(number)", [UInt8(number)])
            }
            _ = try pair.original.integer("SELECT count(*) FROM notes")
            let update = try pair.original.statement(Self.update)
            update.bind(1, "changed in \(round)")
            update.bind(2, Int64(round * 20 + 3))
            try update.run()
            try pair.original.statement(StatementText("DELETE FROM notes WHERE number % 10 = 7")).run()
            try pair.replay()
        }
        #expect(try pair.rows(pair.replica) == pair.rows(pair.original))
        #expect(try pair.rows(pair.replica).count == 90)
    }

    @Test func `only statements that change rows are recorded`() throws {
        _ = try pair.original.integer("SELECT count(*) FROM notes")
        let update = try pair.original.statement(Self.update)
        update.bind(1, "of nobody")
        update.bind(2, 17)
        try update.run()
        #expect(pair.recorder.isEmpty)
        pair.recorder.whilePaused { _ = Result { try pair.insert(1, nil, nil) } }
        #expect(pair.recorder.isEmpty)
        try pair.insert(2, nil, nil)
        #expect(!pair.recorder.isEmpty && pair.recorder.byteCount == pair.recorder.bytes.count)
    }

    @Test(arguments: [true, false])
    func `the memory of large values is freed when a statement has run, whatever it wrote`(
        isRecorded: Bool
    ) throws {
        if !isRecorded { pair.original.recorder = nil }
        try pair.insert(1, "small", nil)
        let update = try pair.original.statement(Self.update)
        let values = try #require(update.values)
        for number in [1, 17] as [Int64] {
            for length in [60_000, 70_000] {
                update.bind(1, String(repeating: "x", count: length))
                update.bind(2, number)
                #expect(values.bytes.count > length)
                try update.run()
                #expect((values.bytes.capacity > 0) == (length == 60_000))
            }
        }
        #expect(try pair.original.integer("SELECT length(body) FROM notes") == 70_000)
    }

    @Test func `rows written by foreign keys and triggers count as changes, and are not recorded themselves`() throws {
        try pair.original.execute("PRAGMA foreign_keys = ON")
        try pair.replica.execute("PRAGMA foreign_keys = ON")
        try pair.onBoth(
            """
            CREATE TABLE parents (id INTEGER PRIMARY KEY);
            CREATE TABLE children (parent INTEGER REFERENCES parents (id) ON DELETE CASCADE);
            INSERT INTO parents VALUES (1), (2);
            INSERT INTO children VALUES (1), (1), (2);
            """)
        try pair.original.statement(StatementText("DELETE FROM parents WHERE id = 1")).run()
        try pair.replay()
        #expect(try pair.replica.integer("SELECT count(*) FROM children") == 1)
    }

    @Test func `changes of the schema are recorded`() throws {
        try pair.insert(1, "stays", nil)
        try pair.original.execute("BEGIN")
        try pair.original.execute(
            "ALTER TABLE notes RENAME TO other; CREATE TABLE notes (number INTEGER, body, data)")
        try pair.original.execute("COMMIT")
        try pair.insert(2, "new", nil)
        try pair.replay()
        #expect(try pair.rows(pair.replica) == ["2|new|null"])
        #expect(try pair.replica.integer("SELECT number FROM other") == 1)
    }

    @Test func `a statement's text is recorded once, and again after it was discarded or forgotten`() throws {
        try pair.insert(1, nil, nil)
        let first = pair.recorder.byteCount
        pair.recorder.discard()
        #expect(pair.recorder.isEmpty)
        try pair.insert(2, nil, nil)
        #expect(pair.recorder.byteCount == first, "nobody has the text that was discarded")
        try pair.finishRecord { _ in }
        try pair.insert(3, nil, nil)
        let known = pair.recorder.byteCount
        #expect(known < first - Self.insert.sql.utf8.count / 2)
        try pair.finishRecord { _ in }
        pair.recorder.discard()
        try pair.insert(4, nil, nil)
        #expect(pair.recorder.byteCount == known, "what was taken before is known")
        try pair.recorder.forgetTexts()
        #expect(pair.recorder.byteCount == first, "also what is recorded already is written out")
    }

    @Test func `statements after a discarded record are replayed with the right texts`() throws {
        try pair.insert(1, "one", nil)
        try pair.replay()
        try pair.original.execute("SAVEPOINT discarded")
        let deletion = try pair.original.statement(StatementText("DELETE FROM notes WHERE number = ?1"))
        deletion.bind(1, 1)
        try deletion.run()
        try pair.original.execute("ROLLBACK TO discarded; RELEASE discarded")
        pair.recorder.discard()
        let update = try pair.original.statement(Self.update)
        update.bind(1, "changed")
        update.bind(2, 1)
        try update.run()
        try pair.insert(2, "two", nil)
        deletion.bind(1, 2)
        try deletion.run()
        try pair.insert(3, "three", nil)
        try pair.replay()
        #expect(try pair.rows(pair.replica) == ["1|changed|null", "3|three|null"])
    }

    @Test func `a record made after the texts were forgotten needs no earlier record`() throws {
        for number in 0..<3 {
            try pair.insert(Int64(number), "before", nil)
            try pair.replay()
        }
        try pair.insert(3, "behind", nil)
        try pair.insert(4, "behind", nil)
        let update = try pair.original.statement(Self.update)
        update.bind(1, "changed")
        update.bind(2, 3)
        try update.run()
        try pair.recorder.forgetTexts()
        // The replay knows no statement texts from earlier records, as at the beginning of a segment.
        pair.replayed.forgetTexts()
        try pair.replay()
        #expect(try pair.rows(pair.replica) == pair.rows(pair.original))
        try pair.insert(5, "known again", nil)
        try pair.replay()
        #expect(try pair.rows(pair.replica) == pair.rows(pair.original))
    }

    @Test func `skipping a record still learns its texts`() throws {
        try pair.insert(1, "skipped", nil)
        try pair.finishRecord { record in try pair.replayed.skip(record) }
        try pair.insert(2, "run", nil)
        try pair.replay()
        #expect(try pair.rows(pair.replica) == ["2|run|null"])
    }

    @Test func `a record cut at any byte is malformed, or has only the statements before the cut`() throws {
        var ends = [0]
        try pair.insert(1, "text", [1, 2, 3])
        ends.append(pair.recorder.byteCount)
        try pair.insert(-70_000, "größt", [])
        ends.append(pair.recorder.byteCount)
        try pair.original.execute("BEGIN")
        try pair.original.execute("CREATE TABLE more (number)")
        try pair.original.execute("COMMIT")
        let record = try pair.finishRecord { Array($0) }
        for count in 0..<record.count {
            let outcome = pair.outcomeOfSkipping(Array(record.prefix(count)))
            #expect(outcome == (ends.contains(count) ? nil : .malformedRecording), "\(count) bytes")
        }
        #expect(pair.outcomeOfSkipping(record) == nil)
    }

    @Test func `bytes that no recorder could write are malformed`() throws {
        let cases: [[UInt8]] = [
            [1],  // an index of a text that was never recorded
            [1, 0, 0],
            [0, 1, 0xff, 0, 0],  // a text that is not valid UTF-8
            [0, 0x80],  // a length without an end
            [0] + [UInt8](repeating: 0xff, count: 12),
            [0, 1, 0x20, 1, 4, 0],  // a value of an unknown kind
            [0, 1, 0x20, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 0],  // more values than bytes
            [0, 1, 0x20, 1, 3, 0xff, 0xff, 0xff, 0xff, 0x07],  // a blob that is longer than the rest of the record
            [0, 1, 0x20, 1, 1] + [UInt8](repeating: 0x80, count: 11),  // an integer without an end
        ]
        for bytes in cases {
            #expect(pair.outcomeOfSkipping(bytes) == .malformedRecording, "\(bytes)")
        }
    }

    @Test func `skipping any bytes does not trap`() throws {
        var random = TestSeeds.generator(7)
        try pair.insert(1, "text", [1, 2, 3])
        let record = try pair.finishRecord { Array($0) }
        for _ in 0..<TestTier.count(1_000, long: 20_000) {
            var bytes = record
            for _ in 0...Int.random(in: 0..<3, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
            }
            _ = pair.outcomeOfSkipping(bytes)
        }
    }

    @Test func `a statement whose replay has another effect than its recording is noticed`() throws {
        try pair.insert(1, "one", nil)
        try pair.replay()
        let update = try pair.original.statement(Self.update)
        update.bind(1, "changed")
        update.bind(2, 1)
        try update.run()
        let record = try pair.finishRecord { Array($0) }
        try pair.replica.execute("DELETE FROM notes")
        #expect(throws: Self.diverged) { try pair.replica(runs: record) }
        // The insertion cannot be replayed, because the replica already has a row with the unique value 2.
        try pair.insert(2, "two", nil)
        let insertion = try pair.finishRecord { Array($0) }
        try pair.replica.execute("INSERT INTO notes (number) VALUES (2)")
        #expect(throws: Self.diverged) { try pair.replica(runs: insertion) }
        // The replay executes a statement without values as plain SQL, which is a code path of its own.
        try pair.original.statement(StatementText("DELETE FROM notes")).run()
        let deletion = try pair.finishRecord { Array($0) }
        #expect(throws: Self.diverged) { try pair.replica(runs: deletion) }
    }

    @Test func `a replay on a recording connection is not recorded`() throws {
        try pair.insert(1, "one", nil)
        let record = try pair.finishRecord { Array($0) }
        let recorder = StatementRecorder()
        pair.replica.recorder = recorder
        try pair.replica(runs: record)
        #expect(recorder.isEmpty)
        #expect(try pair.rows(pair.replica) == ["1|one|null"])
    }

    @Test func `a record leaves room for its head and its tail`() throws {
        let recorder = StatementRecorder(headBytes: 24)
        #expect(recorder.isEmpty && recorder.byteCount == 0)
        pair.original.recorder = recorder
        try pair.insert(1, "one", nil)
        let statements = Array(recorder.bytes)
        recorder.finishRecord(tailBytes: 16) { record in
            #expect(record.count == 24 + statements.count + 16)
            #expect(record.prefix(24).allSatisfy { $0 == 0 } && record.suffix(16).allSatisfy { $0 == 0 })
            #expect(Array(record[24..<(24 + statements.count)]) == statements)
            // Overwrites the buffer of the record, as sealing a record does.
            record.copyBytes(from: [UInt8](repeating: 0xaa, count: record.count))
        }
        #expect(recorder.isEmpty)
        try pair.insert(2, "two", nil)
        recorder.finishRecord(tailBytes: 16) { record in
            #expect(record.prefix(24).allSatisfy { $0 == 0 })
        }
    }

    private static let diverged = SQLCipherError(kind: .replayDiverged, operation: "replay")
}

/// A database whose writes are recorded, and a second database that replays the records.
private final class DatabasePair {
    private let databases: [TemporaryDatabase]
    let original: Connection
    let replica: Connection
    let recorder = StatementRecorder()
    let replayed: StatementReplay

    init() throws {
        databases = [try TemporaryDatabase(), try TemporaryDatabase()]
        original = try databases[0].open(.create)
        replica = try databases[1].open(.create)
        replayed = StatementReplay(replica)
        try onBoth("CREATE TABLE notes (number INTEGER PRIMARY KEY, body TEXT, data BLOB)")
        original.recorder = recorder
    }

    deinit {
        replayed.forgetTexts()
        original.close()
        replica.close()
    }

    /// Executes a statement on both databases without recording it.
    func onBoth(_ sql: String) throws {
        try original.execute(sql)
        try replica.execute(sql)
    }

    func insert(_ number: Int64, _ body: String?, _ data: [UInt8]?) throws {
        let statement = try original.statement(Self.insertion)
        statement.bind(1, number)
        if let body {
            statement.bind(2, body)
        } else {
            statement.bindNull(2)
        }
        if let data {
            statement.bind(3, data)
        } else {
            statement.bindNull(3)
        }
        try statement.run()
    }

    private static let insertion = StatementText("INSERT INTO notes (number, body, data) VALUES (?1, ?2, ?3)")

    /// Calls `body` with the record of all writes since the previous call of this function.
    @discardableResult
    func finishRecord<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result {
        try recorder.finishRecord(tailBytes: 0) { record throws in try body(UnsafeRawBufferPointer(record)) }
    }

    func replay() throws {
        try finishRecord { record in try replayed.run(record) }
    }

    func replica(runs record: [UInt8]) throws {
        try record.withUnsafeBytes { try replayed.run($0) }
    }

    /// Returns the error of a new replay that has seen no record except this one.
    func outcomeOfSkipping(_ record: [UInt8]) -> SQLCipherError.Kind? {
        let replay = StatementReplay(replica)
        do throws(SQLCipherError) {
            try record.withUnsafeBufferPointer { bytes throws(SQLCipherError) in
                try replay.skip(UnsafeRawBufferPointer(bytes))
            }
            return nil
        } catch {
            return error.kind
        }
    }

    func rows(_ connection: Connection) throws -> [String] {
        let statement = try connection.prepare(
            "SELECT number, body, hex(data), data IS NULL FROM notes ORDER BY number")
        defer { statement.finalize() }
        var rows: [String] = []
        while try statement.step() {
            let body = statement.isNull(1) ? "null" : try statement.text(1)
            let data = statement.integer(3) == 1 ? "null" : try statement.text(2)
            rows.append("\(statement.integer(0))|\(body)|\(data)")
        }
        return rows
    }
}
