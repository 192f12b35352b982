import StoreCrypto
import Testing

@Suite struct SlotSecretTests {
    private func code(_ kind: SlotKind, _ bytes: [UInt8]) -> CryptoError.Code? {
        StoreCryptoTests.code { () throws(CryptoError) in _ = try SlotSecret(kind: kind, bytes: secretBytes(bytes)) }
    }

    @Test(arguments: [1, 2, 1_023, 1_024]) func `a passphrase of an allowed length is accepted`(count: Int) {
        #expect(code(.passphrase, [UInt8](repeating: 0x61, count: count)) == nil)
    }

    @Test(arguments: [0, 1_025, 4_096]) func `a passphrase of another length is refused`(count: Int) {
        #expect(code(.passphrase, [UInt8](repeating: 0x61, count: count)) == .secretInvalid)
    }

    @Test(arguments: ["pa ss", "Größe", "密码", "🔑🗝️", "\u{0}\n\t", "e\u{301}"])
    func `a passphrase of any Unicode text is used byte for byte`(text: String) throws {
        let secret = try passphrase(text)
        #expect(contents(of: secret.bytes) == Array(text.utf8))
    }

    @Test(
        arguments: [
            [0xff], [0x61, 0x80], [0xc3], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80],
            [0x61, 0xe2, 0x82],
        ] as [[UInt8]])
    func `a passphrase that is not UTF-8 is refused`(bytes: [UInt8]) {
        #expect(code(.passphrase, bytes) == .secretInvalid)
    }

    @Test(arguments: [SlotKind.keyFile, .credential], [32, 33, 4_096])
    func `a key of an allowed length is accepted`(kind: SlotKind, count: Int) {
        #expect(code(kind, [UInt8](repeating: 0xff, count: count)) == nil)
    }

    @Test(arguments: [SlotKind.keyFile, .credential], [0, 16, 31, 4_097])
    func `a key of another length is refused`(kind: SlotKind, count: Int) {
        #expect(code(kind, [UInt8](repeating: 0xff, count: count)) == .secretInvalid)
    }

    @Test func `only secrets that can be typed count as a person's`() {
        #expect(SlotKind.allCases.filter(\.isForPerson) == [.passphrase, .recoveryCode])
    }
}
