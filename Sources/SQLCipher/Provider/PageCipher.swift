import CSQLCipher
import Glibc

/// Encryption and authentication of pages for SQLCipher 3.4.1: what its own functions compute, without looking the
/// algorithms up in OpenSSL 3 at each page. That look-up costs more than some of the work itself
/// (docs/decisions/2026-11-21-page-cipher.md).
///
/// Keys stay as long as they do in SQLCipher's own functions: a context lives for one page and is wiped by OpenSSL when
/// it is freed. Other versions of the library keep their own functions.
enum PageCipher {
    /// The one version whose table of functions is known to be `ghost_sqlcipher_provider_3_4`.
    static let sqlCipherVersion = "3.4.1"
    private static let keyBytes: CInt = 32
    private static let authenticatorBytes = 20

    /// Takes the place of the library's functions for every connection keyed from now on; does so once.
    /// - Returns: false where the library keeps its own.
    @discardableResult
    static func use(_ versions: LibraryVersions) -> Bool {
        versions.sqlCipher == sqlCipherVersion && isInstalled
    }

    private static let libcrypto = Libcrypto.loaded()

    private static let isInstalled: Bool = {
        guard let libcrypto, let table = activatedTable(), isTheKnownTable(table, libcrypto) else { return false }
        table.pointee.random = { _, bytes, byteCount in PageCipher.fillRandomly(bytes, byteCount) }
        table.pointee.hmac = { _, key, keyBytes, first, firstBytes, second, secondBytes, output in
            PageCipher.authenticate(key, keyBytes, first, firstBytes, second, secondBytes, output)
        }
        table.pointee.cipher = { _, mode, key, keyBytes, iv, input, inputBytes, output in
            PageCipher.encipher(mode, key, keyBytes, iv, input, inputBytes, output)
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

    /// True when the table names its functions as OpenSSL's and its authenticator is the one computed here.
    private static func isTheKnownTable(
        _ table: UnsafeMutablePointer<ghost_sqlcipher_provider_3_4>, _ libcrypto: Libcrypto
    ) -> Bool {
        guard let name = table.pointee.name?(nil), strcmp(name, "openssl") == 0, let original = table.pointee.hmac
        else { return false }
        var sample = [UInt8](0..<200)
        var key = [UInt8](repeating: 7, count: Int(keyBytes))
        var expected = [UInt8](repeating: 0, count: authenticatorBytes)
        var computed = [UInt8](repeating: 0, count: authenticatorBytes)
        let originalResult = sample.withUnsafeMutableBufferPointer { sample in
            original(nil, &key, keyBytes, sample.baseAddress, 196, sample.baseAddress?.advanced(by: 196), 4, &expected)
        }
        let result = sample.withUnsafeMutableBufferPointer { sample in
            authenticate(&key, keyBytes, sample.baseAddress, 196, sample.baseAddress?.advanced(by: 196), 4, &computed)
        }
        return originalResult == SQLITE_OK && result == SQLITE_OK && expected == computed
    }

    // MARK: What SQLCipher calls, with its results: SQLITE_OK or SQLITE_ERROR

    /// Initialization vectors and salts, from the kernel: at most 256 bytes, see getentropy(3).
    static func fillRandomly(_ bytes: UnsafeMutableRawPointer?, _ byteCount: CInt) -> CInt {
        guard let bytes, byteCount >= 0, getentropy(bytes, Int(byteCount)) == 0 else { return SQLITE_ERROR }
        return SQLITE_OK
    }

    /// HMAC-SHA1 over two pieces: RFC 2104.
    static func authenticate(
        _ key: UnsafeMutablePointer<UInt8>?, _ keyBytes: CInt,
        _ first: UnsafeMutablePointer<UInt8>?, _ firstBytes: CInt,
        _ second: UnsafeMutablePointer<UInt8>?, _ secondBytes: CInt, _ output: UnsafeMutablePointer<UInt8>?
    ) -> CInt {
        guard let libcrypto, let context = libcrypto.newHMACContext() else { return SQLITE_ERROR }
        defer { libcrypto.freeHMACContext(context) }
        var outputBytes: CUnsignedInt = 0
        guard libcrypto.initHMAC(context, key, keyBytes, libcrypto.sha1, nil) == 1,
            libcrypto.updateHMAC(context, first, Int(firstBytes)) == 1,
            libcrypto.updateHMAC(context, second, Int(secondBytes)) == 1,
            libcrypto.finishHMAC(context, output, &outputBytes) == 1
        else { return SQLITE_ERROR }
        return SQLITE_OK
    }

    /// AES-256-CBC without padding, whole blocks: NIST SP 800-38A.
    /// - Parameter mode: 1 encrypts, 0 decrypts.
    static func encipher(
        _ mode: CInt, _ key: UnsafeMutablePointer<UInt8>?, _ keyBytes: CInt, _ iv: UnsafeMutablePointer<UInt8>?,
        _ input: UnsafeMutablePointer<UInt8>?, _ inputBytes: CInt, _ output: UnsafeMutablePointer<UInt8>?
    ) -> CInt {
        guard keyBytes == Self.keyBytes, let libcrypto, let context = libcrypto.newCipherContext() else {
            return SQLITE_ERROR
        }
        defer { libcrypto.freeCipherContext(context) }
        var outputBytes: CInt = 0
        guard libcrypto.initCipher(context, libcrypto.aes256CBC, nil, key, iv, mode) == 1,
            libcrypto.setPadding(context, 0) == 1,
            libcrypto.updateCipher(context, output, &outputBytes, input, inputBytes) == 1,
            outputBytes == inputBytes
        else { return SQLITE_ERROR }
        return SQLITE_OK
    }
}
