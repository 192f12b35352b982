import CSQLCipher
import Glibc
import Synchronization
import Testing

@testable import SQLCipher

/// A file that can only be opened for reading, as on a disk that the kernel remounted read-only after an error.
private enum ReadOnlyFile {
    private static let path = Mutex<String?>(nil)

    /// Replaces SQLite's open function (https://www.sqlite.org/c3ref/vfs.html). The replacement stays installed for the
    /// whole process, because it opens all other files as usual.
    static let isInstalled: Bool = {
        guard let system = sqlite3_vfs_find(nil), let set = system.pointee.xSetSystemCall else { return false }
        let open: Open = { name, flags, mode in
            guard let name, flags & O_ACCMODE == O_RDONLY || !ReadOnlyFile.isChosen(name) else {
                errno = EROFS
                return -1
            }
            return Glibc.open(name, flags, mode_t(mode))
        }
        return set(system, "open", unsafeBitCast(open, to: sqlite3_syscall_ptr.self)) == SQLITE_OK
    }()

    private typealias Open = @convention(c) (UnsafePointer<CChar>?, Int32, Int32) -> Int32

    private static func isChosen(_ name: UnsafePointer<CChar>) -> Bool {
        path.withLock { $0.map { strcmp($0, name) == 0 } ?? false }
    }

    static func choose(_ chosen: String?) {
        path.withLock { $0 = chosen }
    }
}

@Suite(.serialized) struct ReadOnlyFileTests {
    /// Without this refusal, SQLite would open the file for reading and fail only at the first write.
    @Test func `a file that the system opens only for reading is refused at once for writing, and not for reading`()
        throws
    {
        try #require(ReadOnlyFile.isInstalled)
        let database = try TemporaryDatabase()
        let connection = try database.open(.create)
        try connection.execute("CREATE TABLE t (x)")
        connection.close()
        ReadOnlyFile.choose(database.path)
        defer { ReadOnlyFile.choose(nil) }
        for mode in [Connection.Mode.readWrite, .readBesideWriter] {
            let thrown = #expect(throws: SQLCipherError.self) { _ = try database.open(mode) }
            #expect(thrown?.kind == .readOnly)
        }
        #expect(try database.open(.probe).integer("SELECT count(*) FROM t") == 0)
    }
}
