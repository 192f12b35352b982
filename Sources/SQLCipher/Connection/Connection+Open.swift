import CSQLCipher
import Glibc

/// The layout and the protection of a database file's pages.
///
/// SQLCipher 3.4.1 and 4.x can both read and write this format, which is the page format of version 3 (AES-256-CBC, a
/// random IV per page, HMAC-SHA1 over ciphertext, IV and page number). It is always set explicitly instead of relying
/// on the library's default. See https://www.zetetic.net/sqlcipher/sqlcipher-api/.
package struct CipherProfile: Hashable, Sendable {
    /// The size of a page in bytes: a power of two from 512 to 65,536.
    package let pageBytes: Int

    /// The profile of every ghoststore database; docs/decisions explains the choice of the page size.
    package static let ghoststore = CipherProfile(pageBytes: 2_048)

    package init(pageBytes: Int) {
        precondition(
            (512...65_536).contains(pageBytes) && pageBytes & (pageBytes - 1) == 0,
            "the page size must be a power of two")
        self.pageBytes = pageBytes
    }

    /// Returns the statements that must run right after the key is set. The order matters, because
    /// `cipher_compatibility` resets the page size.
    func keyingStatements(libraryMajorVersion: Int) -> [String] {
        var statements: [String] = []
        if libraryMajorVersion >= 4 {
            statements.append("PRAGMA cipher_compatibility = 3")
        }
        statements.append("PRAGMA cipher_page_size = \(pageBytes)")
        return statements
    }
}

extension Connection {
    /// The time for which a connection waits while another connection opens, recovers or closes the WAL.
    static let busyTimeoutMilliseconds: Int32 = 5_000

    static func open(path: String, mode: Mode) throws(SQLCipherError) -> OpaquePointer {
        var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE
        var name = path
        switch mode {
        case .create:
            // Create the file here, because SQLite would use the umask's mode. The WAL and its index get the mode of
            // the file.
            let descriptor = Glibc.open(path, O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | O_WRONLY, 0o600)
            guard descriptor >= 0 else {
                let isFull = errno == ENOSPC || errno == EDQUOT
                throw SQLCipherError(kind: isFull ? .diskFull : .inputOutput, operation: "create")
            }
            Glibc.close(descriptor)
            flags |= SQLITE_OPEN_READWRITE
        case .readWrite, .readBesideWriter:
            flags |= SQLITE_OPEN_READWRITE
        case .readOnly:
            flags |= SQLITE_OPEN_READONLY
        case .probe:
            // With immutable=1, SQLite takes no locks and ignores the WAL: https://www.sqlite.org/uri.html.
            flags |= SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
            name = "file:" + path.percentEncodedForURI + "?immutable=1"
        }
        var handle: OpaquePointer?
        let result = sqlite3_open_v2(name, &handle, flags, nil)
        guard result == SQLITE_OK, let handle else {
            let code = handle.map { sqlite3_extended_errcode($0) } ?? result
            sqlite3_close_v2(handle)
            throw SQLCipherError(extendedCode: code, operation: "open")
        }
        sqlite3_extended_result_codes(handle, 1)
        // Set the timeout before the first statement, which may run while another connection is closing the file.
        sqlite3_busy_timeout(handle, busyTimeoutMilliseconds)
        // If the system refuses to open the file for writing, SQLite opens it for reading and fails only at the first
        // write. Fail here instead.
        guard flags & SQLITE_OPEN_READONLY != 0 || sqlite3_db_readonly(handle, "main") == 0 else {
            sqlite3_close_v2(handle)
            throw SQLCipherError(kind: .readOnly, operation: "open")
        }
        return handle
    }

    /// Sets the key, then compatibility and page size, and reads from the database, which shows if the key is right.
    func applyAndVerifyKey(
        _ key: UnsafeRawBufferPointer, profile: CipherProfile, versions: LibraryVersions
    ) throws(SQLCipherError) {
        if versions.sqlCipherMajor >= 4 {
            // Version 4.6 logs to stderr by default. Turn on memory security before the key is set, because it protects
            // only later keys.
            try execute("PRAGMA cipher_log_level = NONE")
            try execute("PRAGMA cipher_memory_security = ON")
        }
        PageCipher.use(versions)
        // Pass the exact length: with a negative one, SQLite would look for a NUL beyond the buffer.
        let result = sqlite3_key(handle, key.baseAddress, Int32(key.count))
        guard result == SQLITE_OK else { throw SQLCipherError(extendedCode: result, operation: "key") }
        for statement in profile.keyingStatements(libraryMajorVersion: versions.sqlCipherMajor) {
            try execute(statement)
        }
        _ = try integer("SELECT count(*) FROM sqlite_master")
    }

    func configure(mode: Mode, profile: CipherProfile) throws(SQLCipherError) {
        // Keep sorts and temporary tables in memory, because SQLite would write them to disk unencrypted.
        try execute("PRAGMA temp_store = MEMORY; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON")
        switch mode {
        case .create, .readWrite:
            guard try text("PRAGMA journal_mode = WAL") == "wal" else {
                throw SQLCipherError(kind: .profileRefused, operation: "journal_mode")
            }
            // With NORMAL, a checkpoint syncs but a commit does not
            // (https://www.sqlite.org/pragma.html#pragma_synchronous). The durability of a commit comes from the
            // store's journal.
            try execute("PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0")
            guard try integer("PRAGMA synchronous") == 1 else {
                throw SQLCipherError(kind: .profileRefused, operation: "synchronous")
            }
        case .readBesideWriter:
            try execute("PRAGMA query_only = ON; PRAGMA wal_autocheckpoint = 0")
        case .readOnly, .probe:
            try execute("PRAGMA query_only = ON")
        }
        guard try integer("PRAGMA page_size") == Int64(profile.pageBytes) else {
            throw SQLCipherError(kind: .profileRefused, operation: "page_size")
        }
    }
}

extension String {
    /// Escapes the characters with a special meaning in an SQLite URI file name.
    fileprivate var percentEncodedForURI: String {
        var encoded = ""
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "%"), UInt8(ascii: "?"), UInt8(ascii: "#"), 0...0x20, 0x7f...0xff:
                let digits = String(byte, radix: 16, uppercase: true)
                encoded += "%" + (digits.utf8.count == 1 ? "0" + digits : digits)
            default:
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            }
        }
        return encoded
    }
}

/// SQLCipher's literal for a key that needs no derivation: `x'` + hexadecimal digits + `'`.
enum RawKeyLiteral {
    /// The number of digits: 32 key bytes, or 32 key bytes and 16 salt bytes.
    static let digitCounts = [64, 96]

    static func isWellFormed(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard digitCounts.contains(bytes.count - 3), bytes.first == UInt8(ascii: "x"),
            bytes[1] == UInt8(ascii: "'"), bytes.last == UInt8(ascii: "'")
        else { return false }
        return bytes[2..<(bytes.count - 1)].allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
                UInt8(ascii: "A")...UInt8(ascii: "F"):
                true
            default:
                false
            }
        }
    }
}
