import CSQLCipher
import Glibc
import Synchronization
import Testing

@testable import SQLCipher

/// A file that the system opens for reading only, as it does on a disk that was mounted so after an error.
private enum ReadOnlyFile {
    private static let path = Mutex<String?>(nil)

    /// Takes the place of what SQLite calls to open files (https://www.sqlite.org/c3ref/vfs.html). Stays in place: it
    /// lets every other file be opened.
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
    /// SQLite opens it for reading then, and refuses the first write.
    @Test func `a file that the system does not open for writing is refused at once, and for reading is not`() throws {
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
