import Glibc
import Testing

@testable import SQLCipher

/// The frames of a commit are written in few large writes. Compared with one write for each frame, readers must see the
/// same data, and a failure must leave the same data in the files.
@Suite struct GatheredFramesTests {
    private static let frameBytes = 24 + 2_048

    private func withTable() throws -> TemporaryDatabase {
        let database = try TemporaryDatabase()
        let connection = try database.open(.create)
        try connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, value BLOB)")
        connection.close()
        return database
    }

    private func counts(_ connection: Connection) throws -> [Int64?] {
        [
            try connection.integer("SELECT count(*) FROM t"), try connection.integer("SELECT sum(id) FROM t"),
            try connection.integer("SELECT sum(length(value)) FROM t"),
        ]
    }

    @Test func `readers see every commit at once, whatever its size, and nothing before it`() throws {
        let database = try withTable()
        let writer = try database.open(.readWrite)
        let reader = try database.open(.readBesideWriter)
        defer {
            reader.close()
            writer.close()
        }
        var id = 0
        for rows in [1, 2, 3, 40, 1, 150, 700, 1, 5] {
            let before = try counts(reader)
            try writer.execute("BEGIN IMMEDIATE")
            for _ in 0..<rows {
                id += 1
                try writer.execute("INSERT INTO t VALUES (\(id), randomblob(\(300 + id % 4_000)))")
            }
            #expect(try counts(reader) == before)
            try writer.execute("COMMIT")
            #expect(try counts(reader) == counts(writer))
            // After the commit, all its frames are in the file of the WAL.
            #expect(database.byteCount(of: "-wal") >= 32 + writer.walFrames * Self.frameBytes)
        }
        #expect(try counts(reader).first == Int64(id))
    }

    @Test func `a transaction larger than the cache reads its own writes, and is rolled back`() throws {
        let database = try withTable()
        let writer = try database.open(.readWrite)
        defer { writer.close() }
        try writer.setCacheKibibytes(64)
        for round in 0..<6 {
            try writer.execute("BEGIN IMMEDIATE")
            for id in 1...200 {
                try writer.execute("INSERT OR REPLACE INTO t VALUES (\(id), zeroblob(\(2_000 + round * 100)))")
            }
            // Some pages of this transaction are already in the WAL, and the sum reads them back.
            #expect(try writer.integer("SELECT sum(length(value)) FROM t") == Int64(200 * (2_000 + round * 100)))
            try writer.execute("UPDATE t SET value = zeroblob(\(1_500 + round)) WHERE id % 3 = 0")
            if round % 2 == 0 {
                try writer.execute("COMMIT")
            } else {
                writer.rollBack()
                try writer.execute("INSERT OR REPLACE INTO t VALUES (1, zeroblob(2))")
            }
            let another = try database.open(.readBesideWriter)
            #expect(try counts(another) == counts(writer))
            another.close()
        }
    }

    @Test func `a WAL that starts over after a checkpoint is written from its beginning`() throws {
        let database = try withTable()
        let writer = try database.open(.readWrite)
        defer { writer.close() }
        for round in 0..<20 {
            try writer.execute("INSERT INTO t VALUES (\(round), randomblob(\(round * 700)))")
            if round % 3 == 0 {
                _ = try writer.checkpoint(round % 2 == 0 ? .truncate : .passive)
            }
            // A copy of the files now is what a crash would leave. It contains whole transactions only.
            let copy = try TemporaryDatabase()
            for suffix in ["", "-wal"] {
                let bytes = database.bytes(of: suffix)
                let descriptor = open(copy.path + suffix, O_WRONLY | O_CREAT, 0o600)
                defer { close(descriptor) }
                try #require(write(descriptor, bytes, bytes.count) == bytes.count)
            }
            let again = try copy.open(.readWrite)
            #expect(try counts(again) == counts(writer), "round \(round)")
            again.close()
        }
    }

    @Test func `a commit fails if the disk rejects its frames, and the next one succeeds`() throws {
        let database = try withTable()
        let writer = try database.open(.readWrite)
        defer { writer.close() }
        try writer.execute("INSERT INTO t VALUES (1, zeroblob(10))")
        let before = try counts(writer)
        var limit = rlimit()
        try #require(getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
        signal(SIGXFSZ, SIG_IGN)
        for pages in [1, 3, 60, 64, 130] {
            var lower = limit
            lower.rlim_cur = rlim_t(database.byteCount(of: "-wal") + 1_000)
            try writer.execute("BEGIN IMMEDIATE")
            for id in 0..<pages {
                try writer.execute("INSERT INTO t VALUES (\(100 + id), randomblob(1900))")
            }
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &lower)
            let error = #expect(throws: SQLCipherError.self) { try writer.commit() }
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            #expect(error != nil, "\(pages) pages")
            writer.rollBack()
            let another = try database.open(.readBesideWriter)
            #expect(try counts(another) == before)
            another.close()
        }
        try writer.execute("INSERT INTO t VALUES (2, zeroblob(20))")
        let another = try database.open(.readBesideWriter)
        #expect(try counts(another) == counts(writer))
        another.close()
    }
}

extension TemporaryDatabase {
    fileprivate func byteCount(of suffix: String) -> Int {
        var status = stat()
        return stat(path + suffix, &status) == 0 ? Int(status.st_size) : 0
    }
}
