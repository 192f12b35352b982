import CSodium
import ReplicaModel
import StoreBasics
import Testing

@testable import StoreCrypto

@Suite struct ReplicaKeyTests {
    /// Test vectors of RFC 8032, 7.1, test 1, and RFC 7748, 5.2, one iteration.
    private static let seed = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"
    private static let signingKey = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
    private static let receivingSecret = "0900000000000000000000000000000000000000000000000000000000000000"
    private static let receivingKey = "422c8e7a6227d7bca1350b3e2bb7279f7897b87bb6854b783c60e80311ae3079"

    @Test func `a device's keys are stored and read back, and have the public keys of the RFC`() throws {
        let keys = try ReplicaDeviceKeys(
            bytes: secretBytes(bytes(hexadecimal: Self.seed) + bytes(hexadecimal: Self.receivingSecret)))
        #expect(Hexadecimal.encode(keys.signingKey) == Self.signingKey)
        #expect(Hexadecimal.encode(keys.receivingKey) == Self.receivingKey)
        #expect(keys.number == 0x7849_ac30_4968_0be1)
        let new = try ReplicaDeviceKeys.generate()
        let again = try ReplicaDeviceKeys(bytes: secretBytes(contents(of: new.bytes)))
        #expect(again.signingKey == new.signingKey && again.receivingKey == new.receivingKey)
        #expect(new.sign([1], as: .batch) == again.sign([1], as: .batch))
        #expect(new.signingKey != keys.signingKey && new.receivingKey != keys.receivingKey)
        #expect(new.signingKey != new.receivingKey && new.bytes.count == 64)
    }

    @Test(arguments: [0, 31, 32, 33, 63, 65]) func `keys of another length are refused`(count: Int) {
        let zeros = [UInt8](repeating: 0, count: count)
        let device = code { () throws(CryptoError) in _ = try ReplicaDeviceKeys(bytes: secretBytes(zeros)) }
        #expect(device == .replicaKeyInvalid)
        let epoch = code { () throws(CryptoError) in _ = try EpochKey(bytes: secretBytes(zeros)) }
        #expect(epoch == (count == 32 ? nil : .replicaKeyInvalid))
    }

    @Test func `a signature is valid only for its device, kind and message`() throws {
        let keys = try ReplicaDeviceKeys.generate()
        let other = try ReplicaDeviceKeys.generate()
        for domain in SignatureDomain.allCases {
            let signature = keys.sign([1, 2, 3], as: domain)
            for read in SignatureDomain.allCases {
                let isRead = try read.isSignature(signature, of: [1, 2, 3], by: keys.signingKey)
                #expect(isRead == (read == domain))
            }
            #expect(try !domain.isSignature(signature, of: [1, 2, 4], by: keys.signingKey))
            #expect(try !domain.isSignature(signature, of: [1, 2], by: keys.signingKey))
            #expect(try !domain.isSignature(signature, of: [1, 2, 3], by: other.signingKey))
            #expect(try !domain.isSignature(signature + [0], of: [1, 2, 3], by: keys.signingKey))
            #expect(try !domain.isSignature(signature.dropLast(), of: [1, 2, 3], by: keys.signingKey))
            #expect(try !domain.isSignature([], of: [1, 2, 3], by: []))
        }
    }

    @Test func `no signature by a key of low order is valid`() throws {
        // With the identity as key and as R, and zero as S, the verification equation holds for every message.
        let identity = [1] + [UInt8](repeating: 0, count: 31)
        let zero = [UInt8](repeating: 0, count: 32)
        #expect(try !SignatureDomain.batch.isSignature(identity + zero, of: [1], by: identity))
    }

    @Test func `no signature by a key outside the subgroup is valid, even if libsodium accepts it`() throws {
        let keys = try ReplicaDeviceKeys.generate()
        // A point of order 8.
        let point = bytes(hexadecimal: "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa")
        var signingKey = [UInt8](repeating: 0, count: 32)
        try #require(crypto_core_ed25519_add(&signingKey, keys.signingKey, point) == 0)
        let pair = Array(contents(of: keys.bytes).prefix(32)) + signingKey
        var taken = 0
        for number in UInt8(0)..<200 {
            let signed = SignatureDomain.batch.signedBytes(of: [number])
            var signature = [UInt8](repeating: 0, count: 64)
            try #require(crypto_sign_detached(&signature, nil, signed, UInt64(signed.count), pair) == 0)
            if crypto_sign_verify_detached(signature, signed, UInt64(signed.count), signingKey) == 0 {
                taken += 1
            }
            #expect(try !SignatureDomain.batch.isSignature(signature, of: [number], by: signingKey))
        }
        #expect(taken > 0)
    }

    @Test func `an epoch's key opens only for the device for which it is sealed`() throws {
        let device = try ReplicaDeviceKeys.generate()
        let other = try ReplicaDeviceKeys.generate()
        let key = try EpochKey.generate()
        let sealedKey = try key.sealed(for: device.receivingKey)
        #expect(sealedKey.count == EpochRecord.sealedKeyBytes)
        #expect(try key.sealed(for: device.receivingKey) != sealedKey)
        let opened = try EpochKey(opening: sealedKey, with: device)
        #expect(contents(of: opened.bytes) == contents(of: key.bytes))
        #expect(refusal(sealedKey, with: other) == .epochKeyNotOpened)
        for bit in 0..<(sealedKey.count * 8) {
            var damaged = sealedKey
            damaged[bit / 8] ^= 1 << (bit % 8)
            // X25519 ignores the highest bit of a public key, but the nonce depends on that bit too.
            #expect(refusal(damaged, with: device) == .epochKeyNotOpened, "bit \(bit)")
        }
        for count in 0..<sealedKey.count {
            #expect(refusal(Array(sealedKey.prefix(count)), with: device) == .epochKeyNotOpened)
        }
        #expect(refusal(sealedKey + [0], with: device) == .epochKeyNotOpened)
    }

    @Test func `nothing is sealed for an invalid receiving key`() throws {
        let key = try EpochKey.generate()
        let lowOrder = [
            "0000000000000000000000000000000000000000000000000000000000000000",
            "0100000000000000000000000000000000000000000000000000000000000000",
            "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
            "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
            "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        ].map { bytes(hexadecimal: $0) }
        for receivingKey in lowOrder + [[], [UInt8](repeating: 9, count: 31), [UInt8](repeating: 9, count: 33)] {
            let refused = code { () throws(CryptoError) in _ = try key.sealed(for: receivingKey) }
            #expect(refused == .recipientKeyInvalid, "\(Hexadecimal.encode(receivingKey))")
        }
    }

    @Test func `subkeys of an epoch differ from each other, from its key and from another epoch's subkeys`() throws {
        var seen: Set<[UInt8]> = []
        for _ in 0..<2 {
            let key = try EpochKey.generate()
            seen.insert(contents(of: key.bytes))
            for subkey in EpochKey.Subkey.allCases {
                seen.insert(contents(of: try key.subkey(subkey)))
            }
        }
        #expect(seen.count == 10 && seen.allSatisfy { $0.count == 32 })
    }

    private func refusal(_ sealedKey: [UInt8], with device: borrowing ReplicaDeviceKeys) -> CryptoError.Code? {
        do throws(CryptoError) {
            _ = try EpochKey(opening: sealedKey, with: device)
            return nil
        } catch {
            return error.code
        }
    }
}
