import Glibc
import Testing

@testable import SQLCipher

@Suite struct GuardedFileTests {
    /// Returns a closed database with a table whose rows each fill several pages.
    private func filled() throws -> TemporaryDatabase {
        let database = try TemporaryDatabase()
        let connection = try database.open(.create)
        try connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, value BLOB)")
        for id in 1...8 {
            try connection.execute("INSERT INTO t VALUES (\(id), randomblob(7000))")
        }
        connection.close()
        return database
    }

    @Test(arguments: ["zeros", "cut"])
    func `a missing or zeroed page is reported as corruption, wherever it is`(damage: String) throws {
        let whole = try filled()
        let pages = whole.bytes().count / 2_048
        for page in 1..<pages {
            let database = try filled()
            let descriptor = open(database.path, O_RDWR)
            defer { close(descriptor) }
            if damage == "cut" {
                try #require(ftruncate(descriptor, off_t(page * 2_048)) == 0)
            } else {
                let zeros = [UInt8](repeating: 0, count: 2_048)
                try #require(pwrite(descriptor, zeros, 2_048, off_t(page * 2_048)) == 2_048)
            }
            let error = #expect(throws: SQLCipherError.self) {
                let connection = try database.open(.readBesideWriter)
                defer { connection.close() }
                for id in 1...8 {
                    let select = try connection.prepare("SELECT value FROM t WHERE id = \(id)")
                    defer { select.finalize() }
                    _ = try select.step()
                }
            }
            #expect(error?.kind == .corrupt, "page \(page): \(String(describing: error))")
        }
    }

    @Test func `reading a row whose long value lost a page fails, even if nothing is read after it`() throws {
        let whole = try filled()
        let pages = whole.bytes().count / 2_048
        var refused = 0
        for page in 1..<pages {
            let database = try filled()
            try database.flipByte(at: page * 2_048 + 700)
            let connection = try database.open(.readBesideWriter)
            defer { connection.close() }
            for id in 1...8 {
                let select = try connection.prepare("SELECT value FROM t WHERE id = \(id)")
                defer { select.finalize() }
                do throws(SQLCipherError) {
                    guard try select.step() else { continue }
                    #expect(!holdsZeros(select.bytes(0)), "page \(page), row \(id)")
                } catch {
                    #expect([.corrupt, .pageRefused].contains(error.kind))
                    refused += 1
                    break
                }
            }
        }
        #expect(refused == pages - 1)
    }

    @Test func `files to be preserved are unchanged after the last connection closes`() throws {
        let database = try filled()
        let connection = try database.open(.readWrite)
        try connection.execute("INSERT INTO t VALUES (100, randomblob(9000))")
        let before = (database.bytes(), database.bytes(of: "-wal"))
        try #require(!before.1.isEmpty)
        connection.preserveFiles()
        _ = try? connection.checkpoint(.truncate)
        connection.close()
        #expect(database.bytes() == before.0 && database.bytes(of: "-wal") == before.1)
        let again = try database.open(.readWrite)
        #expect(try again.integer("SELECT count(*) FROM t") == 9)
        again.close()
        #expect(database.bytes() != before.0 && database.bytes(of: "-wal").isEmpty)
    }

    @Test func `a reader that closes last leaves the WAL to the writer`() throws {
        let database = try filled()
        let writer = try database.open(.readWrite)
        try writer.execute("INSERT INTO t VALUES (100, randomblob(9000))")
        let reader = try database.open(.readBesideWriter)
        #expect(try reader.integer("SELECT count(*) FROM t") == 9)
        writer.close()
        let log = database.bytes(of: "-wal")
        reader.close()
        #expect(!log.isEmpty && database.bytes(of: "-wal") == log)
    }

    private func holdsZeros(_ bytes: [UInt8]) -> Bool {
        var run = 0
        for byte in bytes {
            run = byte == 0 ? run + 1 : 0
            if run > 100 { return true }
        }
        return false
    }
}
