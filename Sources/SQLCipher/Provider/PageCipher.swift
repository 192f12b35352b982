import CSQLCipher
import Glibc

/// Encryption and authentication of pages for SQLCipher 3.4.1: what its own functions compute, without looking the
/// algorithms up in OpenSSL 3 at each page, and without going on after a failure, which its own functions do
/// (docs/decisions/2026-11-21-page-cipher.md).
///
/// Keys stay as long as they do in SQLCipher's own functions: a context lives for one page and is wiped by OpenSSL when
/// it is freed. Other versions of the library keep their own functions.
enum PageCipher {
    /// The one version whose table of functions is known to be `ghost_sqlcipher_provider_3_4`.
    static let sqlCipherVersion = "3.4.1"

    static let libcrypto = Libcrypto.loaded()

    /// Takes the place of the library's functions for every connection keyed from now on; does so once. Ends the
    /// process when the library's functions, asked for a sample, do not give what ours do.
    /// - Returns: false where the library keeps its own.
    @discardableResult
    static func use(_ versions: LibraryVersions) -> Bool {
        versions.sqlCipher == sqlCipherVersion && isInstalled
    }

    private static let isInstalled: Bool = {
        guard libcrypto != nil, let table = activatedTable(), let name = table.pointee.name?(nil),
            strcmp(name, "openssl") == 0
        else { return false }
        // The library's own functions ignore what libcrypto answers: with these two in disagreement neither is safe.
        guard PageCipherSample.agrees(with: table.pointee) else {
            PageCipherFailure.endProcess("the functions of SQLCipher do not give the expected results")
        }
        table.pointee.random = { _, bytes, byteCount in
            PageCipher.fillRandomly(bytes, byteCount)
            return SQLITE_OK
        }
        table.pointee.hmac = { _, key, keyBytes, first, firstBytes, second, secondBytes, output in
            PageCipher.authenticate(key, keyBytes, first, firstBytes, second, secondBytes, output)
            return SQLITE_OK
        }
        table.pointee.kdf = { _, password, passwordBytes, salt, saltBytes, rounds, keyBytes, key in
            PageCipher.deriveKey(password, passwordBytes, salt, saltBytes, rounds, keyBytes, key)
            return SQLITE_OK
        }
        table.pointee.cipher = { _, mode, key, keyBytes, iv, input, inputBytes, output in
            PageCipher.encipher(mode, key, keyBytes, iv, input, inputBytes, output)
            return SQLITE_OK
        }
        return true
    }()

    /// The table that connections copy when they are keyed. It lives as long as one activation does, so this one is
    /// never ended.
    private static func activatedTable() -> UnsafeMutablePointer<ghost_sqlcipher_provider_3_4>? {
        guard let activate: @convention(c) () -> Void = Libcrypto.symbol("sqlcipher_activate"),
            let getTable: @convention(c) () -> UnsafeMutableRawPointer? = Libcrypto.symbol("sqlcipher_get_provider"),
            sqlite3_initialize() == SQLITE_OK
        else { return nil }
        activate()
        return getTable()?.assumingMemoryBound(to: ghost_sqlcipher_provider_3_4.self)
    }
}
