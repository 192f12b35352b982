import CSQLCipher
import Glibc
import Synchronization

/// Encryption and authentication of pages for SQLCipher 3.4.1. The functions compute the same as SQLCipher's own, but
/// do not look up the algorithms in OpenSSL 3 for each page, and do not continue after a failure
/// (docs/decisions/2026-11-21-page-cipher.md).
///
/// Keys stay in memory as long as in SQLCipher's own functions: a context is used for one page, and OpenSSL wipes it
/// when it is freed. Other versions of the library keep their own functions.
enum PageCipher {
    /// The only version whose table of functions is known to have the layout of `ghost_sqlcipher_provider_3_4`.
    static let sqlCipherVersion = "3.4.1"

    static let libcrypto = Libcrypto.loaded()

    /// Replaces the library's functions once, for all connections that are keyed afterwards. Ends the process if the
    /// library's functions and the new functions give different results for a sample.
    ///
    /// - Returns: false if the library keeps its own functions.
    @discardableResult
    static func use(_ versions: LibraryVersions) -> Bool {
        versions.sqlCipher == sqlCipherVersion && isInstalled
    }

    private static let isInstalled: Bool = {
        guard libcrypto != nil, let table = activatedTable(), let name = table.pointee.name?(nil),
            strcmp(name, "openssl") == 0
        else { return false }
        // The library's own functions ignore errors of libcrypto. If the results differ, neither implementation is
        // safe.
        guard PageCipherSample.agrees(with: table.pointee) else {
            PageCipherFailure.endProcess("the functions of SQLCipher do not return the expected results")
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

    /// Returns the table that connections copy when they are keyed. The table exists only while SQLCipher is activated,
    /// so the activation is never ended.
    private static func activatedTable() -> UnsafeMutablePointer<ghost_sqlcipher_provider_3_4>? {
        guard let activate: @convention(c) () -> Void = Libcrypto.symbol("sqlcipher_activate"),
            let getTable: @convention(c) () -> UnsafeMutableRawPointer? = Libcrypto.symbol("sqlcipher_get_provider"),
            sqlite3_initialize() == SQLITE_OK
        else { return nil }
        activate()
        return getTable()?.assumingMemoryBound(to: ghost_sqlcipher_provider_3_4.self)
    }
}

/// The functions that SQLCipher calls. They return only after success; a failure ends the process.
extension PageCipher {
    typealias Bytes = UnsafeMutablePointer<UInt8>

    static let keyBytes: CInt = 32
    static let blockBytes: CInt = 16
    static let authenticatorBytes = 20

    /// Writes random bytes of the kernel, for initialization vectors and salts: at most 256 bytes, see getentropy(3).
    static func fillRandomly(_ bytes: UnsafeMutableRawPointer?, _ byteCount: CInt) {
        guard let bytes, byteCount >= 0, getentropy(bytes, Int(byteCount)) == 0 else {
            PageCipherFailure.endProcess("the kernel returns no random bytes")
        }
    }

    /// Computes HMAC-SHA1 (RFC 2104) over two pieces. SQLCipher compares the result with the authenticator of a page.
    static func authenticate(
        _ key: Bytes?, _ keyBytes: CInt, _ first: Bytes?, _ firstBytes: CInt, _ second: Bytes?, _ secondBytes: CInt,
        _ output: Bytes?
    ) {
        guard let libcrypto, let context = libcrypto.newHMACContext() else {
            PageCipherFailure.endProcess("libcrypto has no memory to authenticate a page")
        }
        var outputBytes: CUnsignedInt = 0
        guard libcrypto.initHMAC(context, key, keyBytes, libcrypto.sha1, nil) == 1,
            libcrypto.updateHMAC(context, first, Int(firstBytes)) == 1,
            libcrypto.updateHMAC(context, second, Int(secondBytes)) == 1,
            libcrypto.finishHMAC(context, output, &outputBytes) == 1, outputBytes == authenticatorBytes
        else { PageCipherFailure.endProcess("libcrypto cannot authenticate a page") }
        libcrypto.freeHMACContext(context)
    }

    /// Derives a key with PBKDF2 and HMAC-SHA1 (RFC 8018). SQLCipher derives the key of the authenticator with it.
    static func deriveKey(
        _ password: UnsafePointer<UInt8>?, _ passwordBytes: CInt, _ salt: Bytes?, _ saltBytes: CInt, _ rounds: CInt,
        _ keyBytes: CInt, _ key: Bytes?
    ) {
        guard let libcrypto,
            libcrypto.deriveKey(
                password, passwordBytes, salt, saltBytes, rounds, libcrypto.sha1, keyBytes, key) == 1
        else { PageCipherFailure.endProcess("libcrypto cannot derive the key that authenticates pages") }
    }

    /// Encrypts or decrypts whole blocks with AES-256-CBC without padding (NIST SP 800-38A).
    ///
    /// - Parameter mode: 1 encrypts, 0 decrypts.
    static func encipher(
        _ mode: CInt, _ key: Bytes?, _ keyBytes: CInt, _ iv: Bytes?, _ input: Bytes?, _ inputBytes: CInt,
        _ output: Bytes?
    ) {
        guard keyBytes == Self.keyBytes, let libcrypto, let context = libcrypto.newCipherContext() else {
            PageCipherFailure.endProcess("libcrypto has no memory to encrypt a page")
        }
        var outputBytes: CInt = 0
        guard libcrypto.initCipher(context, libcrypto.aes256CBC, nil, key, iv, mode) == 1,
            libcrypto.setPadding(context, 0) == 1,
            libcrypto.updateCipher(context, output, &outputBytes, input, inputBytes) == 1,
            outputBytes == inputBytes
        else { PageCipherFailure.endProcess("libcrypto cannot encrypt or decrypt a page") }
        libcrypto.freeCipherContext(context)
    }
}

/// The way in which the process ends if a page cannot be protected.
///
/// SQLCipher 3.4.1 ignores the results of its cryptographic functions. After a failure it would use the buffer as the
/// page, although the buffer may contain plaintext or another page. Therefore the replacing functions never report a
/// failure; they end the process before the page is written.
package enum PageCipherFailure {
    /// Ends the process without answering further requests. The argument is the cause in words. The function is called
    /// inside SQLite on any thread, with locks held and possibly without free memory, so it must not allocate, wait or
    /// use a database.
    package typealias End = @Sendable (StaticString) -> Never

    /// A wrapper of the closure. Reading a bare closure from the mutex would allocate memory, which may not be
    /// available.
    private struct Handler: Sendable {
        let end: End
    }

    private static let handler = Mutex(Handler { _ in abort() })

    /// Sets the function that ends the process. The default is abort(3).
    package static func setEnd(_ end: @escaping End) {
        handler.withLock { $0 = Handler(end: end) }
    }

    static func endProcess(_ cause: StaticString) -> Never {
        handler.withLock { $0 }.end(cause)
    }
}
