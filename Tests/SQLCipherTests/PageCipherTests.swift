import CSQLCipher
import Testing

@testable import SQLCipher

@Suite(.enabled(if: Libcrypto.loaded() != nil, "no OpenSSL 3 is loaded")) struct PageCipherTests {
    private func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = hexadecimal.compactMap { $0.hexDigitValue.map(UInt8.init) }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    @Test func `SQLCipher 3.4.1 uses these functions, every other version its own`() throws {
        let versions = try LibraryVersions.loaded()
        #expect(PageCipher.use(versions) == (versions.sqlCipher == "3.4.1"))
        #expect(!PageCipher.use(LibraryVersions(sqlCipher: "3.4.2", sqlite: versions.sqlite)))
    }

    /// NIST SP 800-38A, F.2.5 and F.2.6: CBC-AES256, four blocks.
    @Test func `the cipher gives the known answers both ways`() {
        var key = bytes("603deb1015ca71be2b73aef0857d7781 1f352c073b6108d72d9810a30914dff4")
        var iv = bytes("000102030405060708090a0b0c0d0e0f")
        var plain = bytes(
            "6bc1bee22e409f96e93d7e117393172a ae2d8a571e03ac9c9eb76fac45af8e51"
                + "30c81c46a35ce411e5fbc1191a0a52ef f69f2445df4f9b17ad2b417be66c3710")
        var sealed = bytes(
            "f58c4c04d6e5f1ba779eabfb5f7bfbd6 9cfc4e967edb808d679f777bc6702c7d"
                + "39f23369a9d9bacfa530e26304231461 b2eb05e2c39be9fcda6c19078c6a9d1b")
        var output = [UInt8](repeating: 0, count: 64)
        #expect(PageCipher.encipher(1, &key, 32, &iv, &plain, 64, &output) == SQLITE_OK)
        #expect(output == sealed)
        #expect(PageCipher.encipher(0, &key, 32, &iv, &sealed, 64, &output) == SQLITE_OK)
        #expect(output == plain)
    }

    @Test func `what is no AES-256 key, or not whole blocks, is refused`() {
        var (key, iv) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 16))
        var (input, output) = ([UInt8](repeating: 3, count: 64), [UInt8](repeating: 0, count: 64))
        #expect(PageCipher.encipher(1, &key, 16, &iv, &input, 64, &output) == SQLITE_ERROR)
        #expect(PageCipher.encipher(1, &key, 32, &iv, &input, 60, &output) == SQLITE_ERROR)
    }

    /// RFC 2202, section 3: test cases 3 and 7, the text given in two pieces.
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
    func `the authenticator gives the known answers`(key: String, text: String, expected: String) {
        var key = bytes(key)
        var first = Array(bytes(text).dropLast(4))
        var second = Array(bytes(text).suffix(4))
        var output = [UInt8](repeating: 0, count: 20)
        let result = PageCipher.authenticate(
            &key, CInt(key.count), &first, CInt(first.count), &second, CInt(second.count), &output)
        #expect(result == SQLITE_OK && output == bytes(expected))
    }

    @Test func `random bytes fill what is asked for, and come anew`() {
        var first = [UInt8](repeating: 0, count: 64)
        var second = first
        #expect(PageCipher.fillRandomly(&first, 64) == SQLITE_OK && PageCipher.fillRandomly(&second, 64) == SQLITE_OK)
        #expect(first != second && Set(first).count > 16 && Set(second).count > 16)
        #expect(PageCipher.fillRandomly(nil, 16) == SQLITE_ERROR && PageCipher.fillRandomly(&first, -1) == SQLITE_ERROR)
    }
}
