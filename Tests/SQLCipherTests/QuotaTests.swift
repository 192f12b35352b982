import CSQLCipher
import Glibc
import Synchronization
import Testing

@testable import SQLCipher

/// A file whose writes fail as if a disk quota were exceeded.
private enum QuotaFile {
    static let inode = Atomic<UInt>(0)

    /// Replaces SQLite's write functions (https://www.sqlite.org/c3ref/vfs.html). The replacement stays installed for
    /// the whole process, because it passes writes to all other files through.
    static let isInstalled: Bool = {
        guard let system = sqlite3_vfs_find(nil), let set = system.pointee.xSetSystemCall else { return false }
        let write: Write = { QuotaFile.isFull($0) ? -1 : Glibc.write($0, $1, $2) }
        let pwrite: WriteAt = { QuotaFile.isFull($0) ? -1 : Glibc.pwrite($0, $1, $2, $3) }
        let writeAddress = unsafeBitCast(write, to: sqlite3_syscall_ptr.self)
        let pwriteAddress = unsafeBitCast(pwrite, to: sqlite3_syscall_ptr.self)
        // The build options of the library decide which of these functions it uses.
        _ = set(system, "write", writeAddress)
        _ = set(system, "pwrite", pwriteAddress)
        _ = set(system, "pwrite64", pwriteAddress)
        return true
    }()

    private typealias Write = @convention(c) (Int32, UnsafeRawPointer?, Int) -> Int
    private typealias WriteAt = @convention(c) (Int32, UnsafeRawPointer?, Int, off_t) -> Int

    private static func isFull(_ descriptor: Int32) -> Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_ino == inode.load(ordering: .relaxed) else { return false }
        errno = EDQUOT
        return true
    }

    static func choose(_ path: String) {
        var status = stat()
        inode.store(stat(path, &status) == 0 ? status.st_ino : 0, ordering: .relaxed)
    }
}

@Suite(.serialized) struct QuotaTests {
    @Test func `a commit beyond the quota is reported as a full disk, and later commits succeed when there is space`()
        throws
    {
        try #require(QuotaFile.isInstalled)
        let database = try TemporaryDatabase()
        let connection = try database.open(.create)
        try connection.execute("CREATE TABLE t (x); BEGIN; INSERT INTO t VALUES (1)")
        QuotaFile.choose(database.path + "-wal")
        let thrown = #expect(throws: SQLCipherError.self) { try connection.statement(Self.commit).run() }
        #expect(thrown?.kind == .diskFull)
        QuotaFile.choose("/nonexistent")
        connection.rollBack()
        try connection.execute("INSERT INTO t VALUES (2)")
        #expect(try connection.integer("SELECT max(x) FROM t") == 2)
    }

    @Test func `a checkpoint beyond the quota is reported as a full disk`() throws {
        try #require(QuotaFile.isInstalled)
        let database = try TemporaryDatabase()
        let connection = try database.open(.create)
        try connection.execute("CREATE TABLE t (x)")
        QuotaFile.choose(database.path)
        let thrown = #expect(throws: SQLCipherError.self) { try connection.checkpoint(.passive) }
        #expect(thrown?.kind == .diskFull)
        QuotaFile.choose("/nonexistent")
        #expect(try connection.checkpoint(.passive).isComplete)
    }

    @Test func `a failed sync is never reported as a full disk`() {
        let error = SQLCipherError(
            extendedCode: SQLITE_IOERR | (4 << 8), systemErrors: [ENOSPC, EDQUOT], operation: "checkpoint")
        #expect(error.kind == .syncFailed)
    }

    private static let commit = StatementText("COMMIT")
}
