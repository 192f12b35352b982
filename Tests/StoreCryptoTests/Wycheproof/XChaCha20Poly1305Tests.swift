import CSodium
import Testing

/// Tests of the functions that wrap the keys of a slot. The test cases come from Wycheproof.
@Suite struct XChaCha20Poly1305Tests {
    private struct Case {
        let number: String
        let isValid: Bool
        let key, nonce, additionalData, message, sealed: [UInt8]

        init(_ fields: [String]) throws {
            try #require(fields.count == 8)
            number = fields[0]
            isValid = fields[1] == "valid"
            let bytes = try fields.dropFirst(2).map { try #require(WycheproofFile.bytes($0)) }
            (key, nonce, additionalData, message) = (bytes[0], bytes[1], bytes[2], bytes[3])
            sealed = bytes[4] + bytes[5]
        }
    }

    private let cases: [Case]

    /// Reads the cases with nonces of 24 bytes. libsodium's functions accept no other size.
    init() throws {
        let all = try WycheproofFile.cases("xchacha20-poly1305.txt").map { try Case($0) }
        #expect(all.count == 315)
        cases = all.filter { $0.nonce.count == Int(crypto_aead_xchacha20poly1305_ietf_npubbytes()) }
        #expect(cases.count == 306 && all.allSatisfy { $0.isValid ? $0.nonce.count == 24 : true })
    }

    @Test func `valid cases open and are sealed to the same bytes, and invalid ones are refused`() throws {
        #expect(cases.contains { !$0.isValid } && cases.contains { $0.isValid })
        for vector in cases {
            #expect(open(vector) == (vector.isValid ? vector.message : nil), "case \(vector.number)")
            if vector.isValid {
                #expect(seal(vector) == vector.sealed, "case \(vector.number)")
            }
        }
    }

    private func open(_ vector: Case) -> [UInt8]? {
        var message = [UInt8](repeating: 0, count: max(0, vector.sealed.count - 16))
        let status = crypto_aead_xchacha20poly1305_ietf_decrypt(
            &message, nil, nil, vector.sealed, UInt64(vector.sealed.count), vector.additionalData,
            UInt64(vector.additionalData.count), vector.nonce, vector.key)
        return status == 0 ? message : nil
    }

    private func seal(_ vector: Case) -> [UInt8] {
        var sealed = [UInt8](repeating: 0, count: vector.message.count + 16)
        _ = crypto_aead_xchacha20poly1305_ietf_encrypt(
            &sealed, nil, vector.message, UInt64(vector.message.count), vector.additionalData,
            UInt64(vector.additionalData.count), nil, vector.nonce, vector.key)
        return sealed
    }
}
