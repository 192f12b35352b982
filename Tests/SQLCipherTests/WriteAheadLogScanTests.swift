import Testing

@testable import SQLCipher

/// Frames that never were a commit are ordinary, however many follow one that does not fit.
@Suite struct WriteAheadLogScanTests {
    @Test func `a large transaction that was rolled back is not taken for damage`() throws {
        let database = try TemporaryDatabase()
        let connection = try database.open(.create)
        try connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, value BLOB)")
        connection.close()
        let writer = try database.open(.readWrite)
        defer { writer.close() }
        try writer.execute("PRAGMA cache_size = 10; INSERT INTO t VALUES (1, randomblob(100))")
        // More than the cache holds, so that frames are written before the end.
        try writer.execute("BEGIN")
        for id in 100..<200 {
            try writer.execute("INSERT INTO t VALUES (\(id), randomblob(4000))")
        }
        writer.rollBack()
        let spilled = database.bytes(of: "-wal").count
        for id in 2..<5 {
            try writer.execute("INSERT INTO t VALUES (\(id), randomblob(100))")
        }
        #expect(spilled > 100 * 2_072 && database.bytes(of: "-wal").count == spilled)
        let scan = try WriteAheadLogScan(path: database.path + "-wal", pageBytes: 2_048)
        #expect(scan.ignoredFrames == 0 && scan.validFrames > 0)
    }

    @Test func `a file that is missing, empty or too short has nothing ignored`() throws {
        let database = try TemporaryDatabase()
        let scan = try WriteAheadLogScan(path: database.path, pageBytes: 2_048)
        #expect(scan.validFrames == 0 && scan.ignoredFrames == 0)
    }
}
