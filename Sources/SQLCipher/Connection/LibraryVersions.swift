import CSQLCipher

/// The versions of the loaded library, not of the headers used for compilation.
package struct LibraryVersions: Hashable, Sendable {
    /// The version of SQLCipher, such as "3.4.1" or "4.6.1 community".
    package let sqlCipher: String
    /// The version of SQLite, such as "3.15.2".
    package let sqlite: String

    package var sqlCipherMajor: Int {
        Int(sqlCipher.prefix { $0.isNumber }) ?? 0
    }

    /// Returns the versions of the library that this process has loaded.
    ///
    /// - Throws: `SQLCipherError` with kind `.profileRefused` if the library is plain SQLite without encryption. No
    ///   database can be opened then.
    package static func loaded() throws(SQLCipherError) -> LibraryVersions {
        var handle: OpaquePointer?
        defer { sqlite3_close_v2(handle) }
        let opened = sqlite3_open_v2(":memory:", &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil)
        guard opened == SQLITE_OK, let handle else { throw SQLCipherError(extendedCode: opened, operation: "open") }
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        guard sqlite3_prepare_v2(handle, "PRAGMA cipher_version", -1, &statement, nil) == SQLITE_OK,
            sqlite3_step(statement) == SQLITE_ROW, let text = sqlite3_column_text(statement, 0)
        else { throw SQLCipherError(kind: .profileRefused, operation: "cipher_version") }
        return LibraryVersions(sqlCipher: String(cString: text), sqlite: String(cString: sqlite3_libversion()))
    }
}
