import CSodium
import StoreBasics
import Testing

@testable import StoreCrypto

/// Tests of X25519 in the two uses that the store has for it: opening a master key with a slot's key pair, and sealing
/// to a public key.
@Suite struct X25519Tests {
    private struct Case {
        let number: String
        let publicKey, privateKey, shared: [UInt8]

        /// True if the public key is of low order. No honest slot has such a key.
        var isOfLowOrder: Bool { shared.allSatisfy { $0 == 0 } }

        init(_ fields: [String]) throws {
            try #require(fields.count == 5)
            number = fields[0]
            let bytes = try fields.dropFirst(2).map { try #require(WycheproofFile.bytes($0)) }
            (publicKey, privateKey, shared) = (bytes[0], bytes[1], bytes[2])
        }
    }

    private let cases: [Case]

    init() throws {
        try SodiumRuntime.start()
        cases = try WycheproofFile.cases("x25519.txt").map { try Case($0) }
        #expect(cases.count == 518 && cases.count(where: \.isOfLowOrder) == 31)
    }

    @Test func `a sealed key opens with exactly the shared secret of the case`() throws {
        let content = [UInt8](0..<32)
        for vector in cases {
            let pair = try SlotKeyPair(secretKey: secretBytes(vector.privateKey))
            let box = try sealed(content, vector, to: pair.publicKey)
            #expect(opened(box, with: pair) == (vector.isOfLowOrder ? nil : content), "case \(vector.number)")
            #expect(opened(box.dropLast() + [box[box.count - 1] ^ 1], with: pair) == nil)
        }
    }

    @Test func `sealing fails for a public key of low order, and succeeds for every other one`() throws {
        for vector in cases {
            let master = try MasterKey.generate()
            let refusal = code { () throws(CryptoError) in _ = try SlotKeyPair.seal(master, to: vector.publicKey) }
            #expect(refusal == (vector.isOfLowOrder ? .keyringDamaged : nil), "case \(vector.number)")
        }
    }

    private func opened(_ box: [UInt8], with pair: borrowing SlotKeyPair) -> [UInt8]? {
        do throws(CryptoError) {
            let master = try pair.open(box)
            return contents(of: master.bytes)
        } catch {
            return nil
        }
    }

    /// Builds the sealed box that libsodium documents. The case's public key serves as the ephemeral key, and the
    /// case's shared secret as the result of the multiplication.
    private func sealed(_ content: [UInt8], _ vector: Case, to publicKey: [UInt8]) throws -> [UInt8] {
        var key = [UInt8](repeating: 0, count: 32)
        let zeros = [UInt8](repeating: 0, count: 16)
        try #require(crypto_core_hsalsa20(&key, zeros, vector.shared, nil) == 0)
        var nonce = [UInt8](repeating: 0, count: 24)
        let named = vector.publicKey + publicKey
        try #require(crypto_generichash(&nonce, nonce.count, named, UInt64(named.count), nil, 0) == 0)
        var box = [UInt8](repeating: 0, count: content.count + 16)
        try #require(crypto_secretbox_easy(&box, content, UInt64(content.count), nonce, key) == 0)
        return vector.publicKey + box
    }
}
