import StoreBasics
import Testing

@testable import StoreCrypto

/// The expected values come from Python's hashlib.blake2b and from argon2-cffi (the reference implementation).
@Suite struct KnownAnswerTests {
    private static let salt = [UInt8](16..<32)

    private func masterKey() throws -> MasterKey {
        MasterKey(bytes: try secretBytes(Array(0..<32)))
    }

    @Test(arguments: [
        (KeyPurpose.database, 32, "55f5f688b63a1c9e8fddc020d3bf1df1836f59f36e68e463b49cf1d4723edbbd"),
        (.databaseSalt, 16, "c8d8574a1122d83e64e9fbd37f6e76aa"),
        (.vault, 32, "d7ffc9c8516664a5d627e0cc3be44414f448c5b9859060c91b7e3f24247bdb3f"),
        (.backup, 32, "89c9f2dc4d7e5d644ec688b93afd37c2f4162e59e20d2a145ce24b2b396b791e"),
        (.sync, 32, "4b0d082ec97c70809d79c3ed43962299110cddfb5de2631a0b9dc0583eebf2d8"),
        (.keyCheck, 32, "128ace02dac352d466becc38a7e9f7b738cc48c2f642d48bb9f182b8101c88f8"),
        (.journal, 32, "caccdf26252d04bc6cba314476185afd8ac45165dc8a83f6922eba1b89fbed0a"),
    ])
    func `subkeys have the known values of BLAKE2b`(purpose: KeyPurpose, count: Int, expected: String) throws {
        let subkey = try masterKey().subkey(purpose, count: count)
        #expect(Hexadecimal.encode(contents(of: subkey)) == expected)
    }

    @Test func `the database key is SQLCipher's literal of key and salt`() throws {
        let literal = try masterKey().databaseKey()
        #expect(
            text(of: literal) == "x'55f5f688b63a1c9e8fddc020d3bf1df1836f59f36e68e463b49cf1d4723edbbd"
                + "c8d8574a1122d83e64e9fbd37f6e76aa'")
    }

    @Test func `the database key has 99 bytes of the right form`() throws {
        for _ in 0..<20 {
            let key = contents(of: try MasterKey.generate().databaseKey())
            #expect(key.count == 99)
            #expect(key.starts(with: Array("x'".utf8)))
            #expect(key.last == UInt8(ascii: "'"))
            #expect(key.dropFirst(2).dropLast().allSatisfy { Array("0123456789abcdef".utf8).contains($0) })
        }
    }

    @Test func `the key check is made with its own subkey`() throws {
        #expect(
            Hexadecimal.encode(try masterKey().keyCheck())
                == "a122956fadad290b55a59cf6e3883598f58e8da0f8c716ae976e6651ac450cc2")
    }

    @Test func `purposes and keys give different subkeys`() throws {
        var seen: Set<[UInt8]> = []
        for _ in 0..<2 {
            let key = try MasterKey.generate()
            for purpose in KeyPurpose.allCases {
                seen.insert(contents(of: try key.subkey(purpose)))
            }
        }
        #expect(seen.count == 2 * KeyPurpose.allCases.count)
    }

    @Test(arguments: [
        (UInt64(8 << 20), UInt32(1), "42611acd26ce21c7c0a93ea60bcd781b4edbd5257d085aaacbcd5a334f80bcc6"),
        (16 << 20, 3, "07269ca6fce85a5658ae80f5c35e8c9c7b1ab3715f3d1c5c437ffc9929b283c0"),
    ])
    func `the passphrase key has the known values of Argon2id`(memoryBytes: UInt64, passes: UInt32, expected: String)
        throws
    {
        let secret = try passphrase("correct horse battery staple")
        let cost = try KeyDerivationCost(memoryBytes: memoryBytes, passes: passes)
        let key = try PassphraseDerivation.key(from: secret.bytes, salt: Self.salt, cost: cost)
        #expect(Hexadecimal.encode(contents(of: key)) == expected)
    }

    @Test(arguments: [
        (
            SlotDerivation.StrongSecretKind.recoveryCode,
            "3cfb8e08f656f8abcb13a3e0634596e004fed41df96d8d143f6c2c20a393cc03",
            "c206247a1bce41678ea3cc089e5861e9fdbf5e173ad28b3616a719dd1960e248"
        ),
        (
            .keyFile, "0a393fd9bca0a09dedadd0dbcd29ca025c6c2bca2ecd71c731996bac86a98e79",
            "dbf64a95c9c18b220ad9b3ca2bf37b9ac849f825429b899e66c94522789c166a"
        ),
        (
            .credential, "07d8a65e6ad786d8b6346effc35ab0797c5a8668add1d0e657f5d768d1d3c827",
            "505c5eb9ff0f6ac4363cca5f7b9cdc8d99d7138866c9c54eb6d5b8097e329e87"
        ),
    ])
    func `slot keys of strong secrets are derived with BLAKE2b`(
        kind: SlotDerivation.StrongSecretKind, wrapping: String, commitment: String
    ) throws {
        let key = SlotKey(
            bytes: try Blake2b.key(
                from: try secretBytes(Array(100..<140)), salt: Self.salt, personalization: kind.personalization))
        #expect(Hexadecimal.encode(contents(of: try key.wrappingKey())) == wrapping)
        #expect(Hexadecimal.encode(try key.commitment(salt: Self.salt)) == commitment)
    }

    @Test func `the digest is BLAKE2b of RFC 7693`() {
        // The 32-byte BLAKE2b digest of "abc", as `b2sum -l 256` prints it.
        #expect(
            Hexadecimal.encode(Blake2b.digest(of: Array("abc".utf8)))
                == "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319")
    }
}
