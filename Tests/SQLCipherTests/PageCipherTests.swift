import CSQLCipher
import Glibc
import StoreBasics
import Testing

@testable import SQLCipher

@Suite(.enabled(if: Libcrypto.loaded() != nil, "no OpenSSL 3 is loaded")) struct PageCipherTests {
    private func bytes(_ hexadecimal: String) -> [UInt8] {
        Hexadecimal.decode(hexadecimal.filter { !$0.isWhitespace }) ?? []
    }

    @Test func `SQLCipher 3.4.1 uses these functions, and every other version uses its own`() throws {
        let versions = try LibraryVersions.loaded()
        #expect(PageCipher.use(versions) == (versions.sqlCipher == "3.4.1"))
        #expect(!PageCipher.use(LibraryVersions(sqlCipher: "3.4.2", sqlite: versions.sqlite)))
    }

    /// The test vectors are NIST SP 800-38A, F.2.5 and F.2.6: CBC-AES256, four blocks.
    @Test func `encryption and decryption give the known answers`() {
        var key = bytes("603deb1015ca71be2b73aef0857d7781 1f352c073b6108d72d9810a30914dff4")
        var iv = bytes("000102030405060708090a0b0c0d0e0f")
        var plain = bytes(
            "6bc1bee22e409f96e93d7e117393172a ae2d8a571e03ac9c9eb76fac45af8e51"
                + "30c81c46a35ce411e5fbc1191a0a52ef f69f2445df4f9b17ad2b417be66c3710")
        var sealed = bytes(
            "f58c4c04d6e5f1ba779eabfb5f7bfbd6 9cfc4e967edb808d679f777bc6702c7d"
                + "39f23369a9d9bacfa530e26304231461 b2eb05e2c39be9fcda6c19078c6a9d1b")
        var output = [UInt8](repeating: 0, count: 64)
        PageCipher.encipher(1, &key, 32, &iv, &plain, 64, &output)
        #expect(output == sealed)
        PageCipher.encipher(0, &key, 32, &iv, &sealed, 64, &output)
        #expect(output == plain)
    }

    /// The test vectors are RFC 2202, section 3, test cases 3 and 7. The text is passed in two pieces.
    @Test(arguments: [
        (
            "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", String(repeating: "dd", count: 50),
            "125d7342b9ac11cd91a39af48aa17b4f63f175d3"
        ),
        (
            String(repeating: "aa", count: 80),
            "54657374205573696e67204c6172676572205468616e20426c6f636b2d53697a65204b657920616e64204c6172676572"
                + "205468616e204f6e6520426c6f636b2d53697a652044617461",
            "e8e99d0f45237d786d6bbaa7965c7808bbff1a91"
        ),
    ])
    func `the authenticator has the known values`(key: String, text: String, expected: String) {
        var key = bytes(key)
        var first = Array(bytes(text).dropLast(4))
        var second = Array(bytes(text).suffix(4))
        var output = [UInt8](repeating: 0, count: 20)
        PageCipher.authenticate(
            &key, CInt(key.count), &first, CInt(first.count), &second, CInt(second.count), &output)
        #expect(output == bytes(expected))
    }

    /// The test vectors are RFC 6070, test cases 1, 2 and 5.
    @Test(arguments: [
        ("password", "salt", 1, "0c60c80f961f0e71f3a9b524af6012062fe037a6"),
        ("password", "salt", 2, "ea6c014dc72d6f8ccd1ed92ace1d41f0d8de8957"),
        (
            "passwordPASSWORDpassword", "saltSALTsaltSALTsaltSALTsaltSALTsalt", 4_096,
            "3d2eec4fe41c849b80c8d83662c0e44a8b291a964cf2f07038"
        ),
    ])
    func `the derived key has the known value`(password: String, salt: String, rounds: CInt, expected: String) {
        let password = Array(password.utf8)
        var salt = Array(salt.utf8)
        var key = [UInt8](repeating: 0, count: expected.utf8.count / 2)
        PageCipher.deriveKey(
            password, CInt(password.count), &salt, CInt(salt.count), rounds, CInt(key.count), &key)
        #expect(key == bytes(expected))
    }

    @Test func `random bytes fill the buffer and differ each time`() {
        var first = [UInt8](repeating: 0, count: 64)
        var second = first
        PageCipher.fillRandomly(&first, 64)
        PageCipher.fillRandomly(&second, 64)
        #expect(first != second && Set(first).count > 16 && Set(second).count > 16)
    }

    // MARK: Failures

    @Test func `a failure ends the process by abort, or in the way that was set`() async {
        await #expect(processExitsWith: .signal(SIGABRT)) {
            PageCipher.fillRandomly(nil, 16)
        }
        await #expect(processExitsWith: .exitCode(74)) {
            PageCipherFailure.setEnd { _ in _exit(74) }
            PageCipher.fillRandomly(nil, 16)
        }
    }

    @Test func `a key of a wrong length, or an incomplete block, ends the process`() async {
        await #expect(processExitsWith: .exitCode(74)) {
            PageCipherFailure.setEnd { _ in _exit(74) }
            var (key, iv) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 16))
            var (input, output) = ([UInt8](repeating: 3, count: 64), [UInt8](repeating: 0, count: 64))
            PageCipher.encipher(1, &key, 16, &iv, &input, 64, &output)
        }
        await #expect(processExitsWith: .exitCode(74)) {
            PageCipherFailure.setEnd { _ in _exit(74) }
            var (key, iv) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 16))
            var (input, output) = ([UInt8](repeating: 3, count: 64), [UInt8](repeating: 0, count: 64))
            PageCipher.encipher(1, &key, 32, &iv, &input, 60, &output)
        }
    }

    /// Each wrong function in this test would write pages that SQLCipher 3.4.1 cannot read.
    @Test func `a table with one function that disagrees with ours is noticed`() {
        let honest = Self.standInTable()
        #expect(PageCipherSample.agrees(with: honest))
        var table = honest
        table.hmac = { _, _, _, _, _, _, _, output in
            output?.update(repeating: 0, count: 20)
            return SQLITE_OK
        }
        #expect(!PageCipherSample.agrees(with: table))
        table = honest
        table.kdf = { _, _, _, _, _, _, keyBytes, key in
            key?.update(repeating: 0, count: Int(keyBytes))
            return SQLITE_OK
        }
        #expect(!PageCipherSample.agrees(with: table))
        table = honest
        table.cipher = { _, _, _, _, _, input, inputBytes, output in
            guard let input else { return SQLITE_ERROR }
            output?.update(from: input, count: Int(inputBytes))
            return SQLITE_OK
        }
        #expect(!PageCipherSample.agrees(with: table))
    }
    /// Returns a table whose functions return the same results as SQLCipher 3.4.1.
    private static func standInTable() -> ghost_sqlcipher_provider_3_4 {
        var table = ghost_sqlcipher_provider_3_4()
        table.hmac = { _, key, keyBytes, first, firstBytes, second, secondBytes, output in
            PageCipher.authenticate(key, keyBytes, first, firstBytes, second, secondBytes, output)
            return SQLITE_OK
        }
        table.kdf = { _, password, passwordBytes, salt, saltBytes, rounds, keyBytes, key in
            PageCipher.deriveKey(password, passwordBytes, salt, saltBytes, rounds, keyBytes, key)
            return SQLITE_OK
        }
        table.cipher = { _, mode, key, keyBytes, iv, input, inputBytes, output in
            PageCipher.encipher(mode, key, keyBytes, iv, input, inputBytes, output)
            return SQLITE_OK
        }
        table.make_context = { _ in SQLITE_OK }
        table.set_cipher = { _, _ in SQLITE_OK }
        table.free_context = { _ in SQLITE_OK }
        return table
    }
}
