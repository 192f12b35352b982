import CSQLCipher
import Glibc
import Synchronization

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

/// What SQLCipher calls. None of them comes back without having done its work: a failure ends the process.
extension PageCipher {
    typealias Bytes = UnsafeMutablePointer<UInt8>

    static let keyBytes: CInt = 32
    static let blockBytes: CInt = 16
    static let authenticatorBytes = 20

    /// Initialization vectors and salts, from the kernel: at most 256 bytes, see getentropy(3).
    static func fillRandomly(_ bytes: UnsafeMutableRawPointer?, _ byteCount: CInt) {
        guard let bytes, byteCount >= 0, getentropy(bytes, Int(byteCount)) == 0 else {
            PageCipherFailure.endProcess("the kernel returns no random bytes")
        }
    }

    /// HMAC-SHA1 over two pieces: RFC 2104. Whether it is the authenticator of a page that was read is for the caller
    /// to compare.
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

    /// PBKDF2 with HMAC-SHA1: RFC 8018. SQLCipher makes the key of the authenticator with it.
    static func deriveKey(
        _ password: UnsafePointer<UInt8>?, _ passwordBytes: CInt, _ salt: Bytes?, _ saltBytes: CInt, _ rounds: CInt,
        _ keyBytes: CInt, _ key: Bytes?
    ) {
        guard let libcrypto,
            libcrypto.deriveKey(
                password, passwordBytes, salt, saltBytes, rounds, libcrypto.sha1, keyBytes, key) == 1
        else { PageCipherFailure.endProcess("libcrypto cannot derive the key that authenticates pages") }
    }

    /// AES-256-CBC without padding, whole blocks: NIST SP 800-38A.
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

/// The end of the process when a page cannot be protected.
///
/// SQLCipher 3.4.1 asks none of its cryptographic functions whether it has failed: it takes its buffer for the page,
/// and that may hold plaintext or another page. So the functions that stand in for them never report a failure: they
/// end here, before anything of it is written.
package enum PageCipherFailure {
    /// Ends the process without answering anything more. Called inside SQLite, on any thread, with locks held and maybe
    /// with no memory left: it must not allocate, wait or use a database. It is given the cause, in words.
    package typealias End = @Sendable (StaticString) -> Never

    /// A closure by itself would be wrapped when it is taken out of the lock, in memory there may be none of.
    private struct Handler: Sendable {
        let end: End
    }

    private static let handler = Mutex(Handler { _ in abort() })

    /// Sets how this process ends from now on; unless set, by abort(3).
    package static func setEnd(_ end: @escaping End) {
        handler.withLock { $0 = Handler(end: end) }
    }

    static func endProcess(_ cause: StaticString) -> Never {
        handler.withLock { $0 }.end(cause)
    }
}
