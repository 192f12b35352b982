import Glibc
import TestBasics
import Testing

@testable import SQLCipher

/// A temporary folder with one database in it.
final class TemporaryDatabase {
    private let directory: TemporaryDirectory
    var folder: String { directory.path }
    let versions: LibraryVersions
    var path: String { folder + "/test.db" }

    init() throws {
        directory = try TemporaryDirectory()
        versions = try LibraryVersions.loaded()
    }

    static func key(_ digit: Character = "a", digits: Int = 96) -> String {
        "x'" + String(repeating: digit, count: digits) + "'"
    }

    func open(
        _ mode: Connection.Mode, key: String = key(), at path: String? = nil
    ) throws(SQLCipherError) -> Connection {
        let bytes = Array(key.utf8)
        let (path, versions) = (path ?? self.path, versions)
        let result = bytes.withUnsafeBytes { buffer in
            Result { () throws(SQLCipherError) in
                try Connection(path: path, key: buffer, mode: mode, profile: .ghoststore, versions: versions)
            }
        }
        return try result.get()
    }

    func bytes(of suffix: String = "") -> [UInt8] {
        let descriptor = Glibc.open(path + suffix, O_RDONLY)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = read(descriptor, &bytes, bytes.count)
        return Array(bytes.prefix(max(0, count)))
    }

    func flipByte(at offset: Int) throws {
        let descriptor = Glibc.open(path, O_RDWR)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        var byte: UInt8 = 0
        try #require(pread(descriptor, &byte, 1, offset) == 1)
        byte ^= 0x55
        try #require(pwrite(descriptor, &byte, 1, offset) == 1)
    }
}

@Suite struct DatabaseConnectionTests {
    let database: TemporaryDatabase

    init() throws {
        database = try TemporaryDatabase()
    }

    private func make() throws {
        let connection = try database.open(.create)
        try connection.execute("CREATE TABLE notes (id INTEGER PRIMARY KEY, body TEXT); PRAGMA user_version = 3")
        for index in 0..<200 {
            let insert = try connection.prepare("INSERT INTO notes VALUES (?1, ?2)")
            insert.bind(1, Int64(index))
            insert.bind(2, "plaintext marker \(index) " + String(repeating: "x", count: 80))
            try insert.run()
            insert.finalize()
        }
        try connection.checkpoint(.truncate)
        connection.close()
    }

    @Test func `statement texts that are created and released each run their own query`() throws {
        let connection = try database.open(.create)
        for number: Int64 in 0..<200 {
            let statement = try connection.statement(StatementText("SELECT \(number)"))
            let hasRow = try statement.step()
            #expect(hasRow && statement.integer(0) == number)
            statement.reset()
        }
        connection.close()
    }

    @Test func `opening with a wrong key fails as not a database and changes nothing`() throws {
        try make()
        let before = database.bytes()
        let error = #expect(throws: SQLCipherError.self) {
            _ = try database.open(.probe, key: TemporaryDatabase.key("b"))
        }
        #expect(error?.kind == .notADatabase)
        #expect(database.bytes() == before)
        #expect(access(database.path + "-wal", F_OK) != 0)
    }

    @Test(arguments: [0, 10, 63, 65, 95, 97, 128])
    func `keys of a wrong length are refused before a file is created`(digits: Int) throws {
        let error = #expect(throws: SQLCipherError.self) {
            _ = try database.open(.create, key: TemporaryDatabase.key(digits: digits))
        }
        #expect(error?.kind == .malformedKey)
        #expect(access(database.path, F_OK) != 0)
    }

    @Test func `a database file is private and contains no plaintext`() throws {
        try make()
        var status = stat()
        #expect(stat(database.path, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
        let text = String(decoding: database.bytes(), as: UTF8.self)
        #expect(!text.contains("plaintext marker"))
        #expect(!text.hasPrefix("SQLite format"))
    }

    @Test func `creating a database over an existing file is refused`() throws {
        try make()
        let before = database.bytes()
        #expect(throws: SQLCipherError.self) { _ = try database.open(.create) }
        #expect(database.bytes() == before)
    }

    @Test func `a flipped byte in a later page is reported as corruption`() throws {
        try make()
        try database.flipByte(at: CipherProfile.ghoststore.pageBytes * 4 + 100)
        let connection = try database.open(.readWrite)
        let error = #expect(throws: SQLCipherError.self) {
            let select = try connection.prepare("SELECT count(*) FROM notes WHERE body LIKE '%x%'")
            defer { select.finalize() }
            _ = try select.step()
        }
        #expect(error?.kind == .corrupt)
        connection.close()
    }

    @Test func `errors contain the primary and the extended code`() throws {
        try make()
        let connection = try database.open(.readWrite)
        let insert = try connection.prepare("INSERT INTO notes VALUES (1, 'again')")
        let error = #expect(throws: SQLCipherError.self) { try insert.run() }
        #expect(error?.kind == .constraint)
        #expect(error?.primaryCode == 19)
        #expect(error?.isUniqueViolation == true)
        insert.finalize()
        connection.close()
    }

    @Test func `text and blobs of any content are read back unchanged`() throws {
        let connection = try database.open(.create)
        try connection.execute("CREATE TABLE t (a TEXT, b BLOB)")
        let insert = try connection.prepare("INSERT INTO t VALUES (?1, ?2)")
        insert.bind(1, "")
        insert.bind(2, [UInt8]())
        try insert.run()
        insert.bind(1, "a\u{0}b 日本")
        insert.bind(2, [0, 255, 1])
        try insert.run()
        insert.finalize()
        let select = try connection.prepare("SELECT a, b FROM t ORDER BY rowid")
        #expect(try select.step())
        #expect(try !select.isNull(0) && select.text(0).isEmpty && select.bytes(1).isEmpty)
        #expect(try select.step())
        #expect(try select.text(0) == "a\u{0}b 日本")
        #expect(select.bytes(1) == [0, 255, 1])
        select.finalize()
        connection.close()
    }

    @Test func `a backup is encrypted under its own key and complete`() throws {
        try make()
        let source = try database.open(.readWrite)
        let copyPath = database.path + ".copy"
        let target = try database.open(.create, key: TemporaryDatabase.key("c"), at: copyPath)
        do {
            var backup = try OnlineBackup(from: source, to: target)
            while try backup.step(pages: 3) != .finished {}
        }
        target.close()
        source.close()
        let copy = try database.open(.readWrite, key: TemporaryDatabase.key("c"), at: copyPath)
        #expect(try copy.integer("SELECT count(*) FROM notes") == 200)
        #expect(try copy.text("PRAGMA integrity_check") == "ok")
        copy.close()
        #expect(throws: SQLCipherError.self) { _ = try database.open(.probe, at: copyPath) }
        #expect(!String(decoding: database.bytes(of: ".copy"), as: UTF8.self).contains("plaintext marker"))
    }

    @Test func `a transaction that throws is rolled back`() throws {
        try make()
        let connection = try database.open(.readWrite)
        try connection.transaction { () throws(SQLCipherError) in
            try connection.execute("DELETE FROM notes WHERE id = 0")
        }
        #expect(throws: SQLCipherError(kind: .other, operation: "test")) {
            try connection.transaction { () throws(SQLCipherError) in
                try connection.execute("DELETE FROM notes")
                throw SQLCipherError(kind: .other, operation: "test")
            }
        }
        #expect(try connection.integer("SELECT count(*) FROM notes") == 199)
        connection.close()
    }

    /// A connection that closes the file and deletes the WAL locks the file against other connections meanwhile.
    /// Opening another connection tries the key, and this step waits until the lock is released.
    @Test func `opening a connection waits for another connection's lock`() throws {
        try make()
        let other = HeldDatabase(try database.open(.readWrite))
        try other.lock()
        try other.releaseSoon()
        let connection = try database.open(.readWrite)
        #expect(try connection.integer("SELECT count(*) FROM notes") == 200)
        connection.close()
        other.end()
    }

    @Test(arguments: [5, 6, 15, 261, 517] as [Int32])
    func `locks of other connections are reported as busy`(code: Int32) {
        #expect(SQLCipherError(extendedCode: code, operation: "prepare").kind == .busy)
    }

    /// A COMMIT without a transaction fails, and SQLite reports only the general code SQLITE_ERROR.
    @Test func `a commit that fails without a specific reason has an unknown outcome`() throws {
        try make()
        let connection = try database.open(.readWrite)
        let thrown = #expect(throws: SQLCipherError.self) { try connection.commit() }
        #expect(thrown?.kind == .outcomeUnknown)
        #expect(thrown?.primaryCode == 1)
        connection.close()
    }

    @Test(arguments: [(Int32(13), SQLCipherError.Kind.diskFull), (19, .constraint), (5, .busy), (7, .outOfMemory)])
    func `a commit that fails for a known reason reports that reason`(code: Int32, kind: SQLCipherError.Kind) {
        #expect(SQLCipherError(extendedCode: code, operation: "commit").ofDurableChange.kind == kind)
    }
}

@Suite struct TextTests {
    @Test(arguments: ["ff", "c3", "e28228", "edA080", "f8a1a1a1a1", "61c0af"])
    func `text that is not UTF-8 is reported as corruption`(hexadecimal: String) throws {
        let database = try TemporaryDatabase()
        let connection = try database.open(.create)
        defer { connection.close() }
        let select = try connection.prepare("SELECT CAST(x'\(hexadecimal)' AS TEXT), x'\(hexadecimal)'")
        defer { select.finalize() }
        #expect(try select.step())
        for read in [{ _ = try select.text(0) }, { _ = try select.borrowedText(0) }] {
            let error = #expect(throws: SQLCipherError.self) { try read() }
            #expect(error?.kind == .corrupt)
        }
        #expect(select.bytes(1).count == hexadecimal.utf8.count / 2)
    }
}

/// A connection with a lock on its database, so that no other connection can use the database until another thread
/// releases the lock.
///
/// `@unchecked Sendable` because only one thread uses the connection at a time.
private final class HeldDatabase: @unchecked Sendable {
    private let connection: Connection
    private var thread = pthread_t()

    init(_ connection: Connection) {
        self.connection = connection
    }

    func lock() throws {
        _ = try connection.text("PRAGMA journal_mode = DELETE")
        try connection.execute("BEGIN EXCLUSIVE")
    }

    /// Releases the lock after another connection's next statement has begun, and long before that statement times out.
    func releaseSoon() throws {
        let argument = Unmanaged.passRetained(self).toOpaque()
        let result = pthread_create(
            &thread, nil,
            { argument in
                usleep(200_000)
                if let argument {
                    Unmanaged<HeldDatabase>.fromOpaque(argument).takeRetainedValue().connection.rollBack()
                }
                return nil
            }, argument)
        try #require(result == 0)
    }

    func end() {
        pthread_join(thread, nil)
        connection.close()
    }
}
