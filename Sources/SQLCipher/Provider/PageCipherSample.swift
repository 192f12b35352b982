import CSQLCipher

/// A comparison of the library's functions with the functions of `PageCipher`, made before the functions of
/// `PageCipher` replace the library's. The layout of the table is known for one version only, and the replacements must
/// write pages that this version can read.
enum PageCipherSample {
    private static let key = [UInt8](0..<32)
    private static let iv = [UInt8](repeating: 0xA5, count: Int(PageCipher.blockBytes))
    private static let page = (0..<192).map { UInt8(truncatingIfNeeded: $0 * 7) }

    static func agrees(with table: ghost_sqlcipher_provider_3_4) -> Bool {
        agreesOnAuthenticator(table) && agreesOnKey(table) && agreesOnCipher(table)
    }

    private static func agreesOnAuthenticator(_ table: ghost_sqlcipher_provider_3_4) -> Bool {
        guard let original = table.hmac else { return false }
        var (key, page, number) = (key, page, [UInt8](repeating: 3, count: 4))
        var expected = [UInt8](repeating: 0, count: PageCipher.authenticatorBytes)
        var computed = expected
        let result = original(nil, &key, PageCipher.keyBytes, &page, CInt(page.count), &number, 4, &expected)
        PageCipher.authenticate(&key, PageCipher.keyBytes, &page, CInt(page.count), &number, 4, &computed)
        return result == SQLITE_OK && expected == computed
    }

    private static func agreesOnKey(_ table: ghost_sqlcipher_provider_3_4) -> Bool {
        guard let original = table.kdf else { return false }
        var salt = iv
        var expected = [UInt8](repeating: 0, count: Int(PageCipher.keyBytes))
        var computed = expected
        let result = original(
            nil, key, PageCipher.keyBytes, &salt, CInt(salt.count), 2, PageCipher.keyBytes, &expected)
        PageCipher.deriveKey(
            key, PageCipher.keyBytes, &salt, CInt(salt.count), 2, PageCipher.keyBytes, &computed)
        return result == SQLITE_OK && expected == computed
    }

    /// Compares encryption and decryption: both must give the same bytes, and decryption must give the original page.
    private static func agreesOnCipher(_ table: ghost_sqlcipher_provider_3_4) -> Bool {
        guard let original = table.cipher, let makeContext = table.make_context, let choose = table.set_cipher,
            let freeContext = table.free_context
        else { return false }
        var context: UnsafeMutableRawPointer?
        guard makeContext(&context) == SQLITE_OK else { return false }
        defer { _ = freeContext(&context) }
        guard choose(context, "aes-256-cbc") == SQLITE_OK else { return false }
        func common(_ mode: CInt, _ input: [UInt8]) -> [UInt8]? {
            var (key, iv, input) = (key, iv, input)
            // Allocate one block more, because a function that pads its output would write it, too.
            var expected = [UInt8](repeating: 0, count: input.count + Int(PageCipher.blockBytes))
            var computed = expected
            let result = original(
                context, mode, &key, PageCipher.keyBytes, &iv, &input, CInt(input.count), &expected)
            PageCipher.encipher(mode, &key, PageCipher.keyBytes, &iv, &input, CInt(input.count), &computed)
            return result == SQLITE_OK && expected == computed ? Array(computed.prefix(input.count)) : nil
        }
        guard let sealed = common(1, page) else { return false }
        return sealed != page && common(0, sealed) == page
    }
}
