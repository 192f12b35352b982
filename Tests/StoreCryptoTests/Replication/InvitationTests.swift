import StoreBasics
import StoreCrypto
import TestBasics
import Testing

@Suite struct InvitationTests {
    private static let printed = "3AHR-Z6DM-V29G-QY5C-KT18-FPX4-BJQG-XGA2"
    private let invitation: Invitation

    init() throws {
        invitation = try Invitation(Self.printed)
    }

    @Test(arguments: [
        "3ahr-z6dm-v29g-qy5c-kt18-fpx4-bjqg-xga2", "  3ahr z6dm v29g qy5c\nkt18 fpx4 bjqg xga2\r\n",
        "3AHRZ6DMV29GQY5CKTl8FPX4BJQGXGA2",
    ])
    func `a code is read however it is typed`(typed: String) throws {
        let again = try Invitation(typed)
        #expect(again.id == invitation.id)
        #expect(try again.openRequest(invitation.sealRequest([1])) == [1])
    }

    @Test(arguments: ["", "3AHR-Z6DM", "3AHR-Z6DM-V29G-QY5C-KT18-FPX4-BJQG-XGA3", "welcome"])
    func `a mistyped code is refused with an error about an invitation code`(typed: String) throws {
        do throws(CryptoError) {
            _ = try Invitation(typed)
            Issue.record("\(typed) was taken")
        } catch {
            #expect(error.code == .recoveryCodeMistyped && error.message.hasPrefix("invitation code is mistyped: "))
            #expect(typed.isEmpty || !error.message.contains(typed))
        }
    }

    @Test func `each code has its own id`() throws {
        let ids = try (0..<100).map { _ in try Invitation(text(of: RecoveryCode.generate())).id }
        #expect(Set(ids).count == 100 && ids.allSatisfy { $0.count == 16 })
    }

    @Test(arguments: [0, 1, 15, 16, 17, 63, 64, 65, 255 << 10, InvitationKey.plaintextBytesMax])
    func `a request and a welcome open with their original content`(count: Int) throws {
        var random = SplitMix(seed: UInt64(count))
        let plaintext = random.bytes(count)
        let request = try invitation.sealRequest(plaintext)
        let welcome = try invitation.sealWelcome(plaintext)
        #expect(request.count == count + 62 && welcome.count == count + 62)
        #expect(try invitation.openRequest(request) == plaintext)
        #expect(try invitation.openWelcome(welcome) == plaintext)
        #expect(try invitation.sealRequest(plaintext) != request)
        #expect(try invitation.sealWelcome(plaintext) != welcome)
    }

    @Test func `a plaintext that is too long is not sealed`() {
        let tooMuch = [UInt8](repeating: 1, count: InvitationKey.plaintextBytesMax + 1)
        let request = code { () throws(CryptoError) in _ = try invitation.sealRequest(tooMuch) }
        let welcome = code { () throws(CryptoError) in _ = try invitation.sealWelcome(tooMuch) }
        #expect(request == .envelopeTooLarge && welcome == .envelopeTooLarge)
    }

    @Test func `a request does not open as a welcome, a welcome not as a request, and neither for another invitation`()
        throws
    {
        let request = try invitation.sealRequest([1, 2, 3])
        let welcome = try invitation.sealWelcome([1, 2, 3])
        #expect(invitation.refusals(request) == [nil, .invitationNotOpened])
        #expect(invitation.refusals(welcome) == [.invitationNotOpened, nil])
        var renamed = request
        renamed[5] = 2
        #expect(invitation.refusals(renamed) == [.invitationNotOpened, .invitationNotOpened])
        let other = try Invitation(text(of: RecoveryCode.generate()))
        #expect(other.refusals(request) == [.invitationNotOpened, .invitationNotOpened])
        let moved = Array(request.prefix(6)) + other.id + request.dropFirst(22)
        #expect(other.refusals(moved) == [.invitationNotOpened, .invitationNotOpened])
        #expect(invitation.refusals(moved) == [.invitationNotOpened, .invitationNotOpened])
    }

    @Test func `any bit flipped, cut or added is refused`() throws {
        let welcome = try invitation.sealWelcome(Array("some keys".utf8))
        for bit in 0..<(welcome.count * 8) {
            var damaged = welcome
            damaged[bit / 8] ^= 1 << (bit % 8)
            let expected: CryptoError.Code = bit / 8 == 4 ? .invitationVersionUnknown : .invitationNotOpened
            #expect(invitation.refusals(damaged) == [expected, expected], "bit \(bit)")
        }
        for count in 0..<welcome.count {
            #expect(invitation.refusals(Array(welcome.prefix(count))) == [.invitationNotOpened, .invitationNotOpened])
        }
        #expect(invitation.refusals(welcome + [0]) == [.invitationNotOpened, .invitationNotOpened])
        let tooLong = welcome + [UInt8](repeating: 0, count: InvitationKey.plaintextBytesMax)
        #expect(invitation.refusals(tooLong) == [.invitationNotOpened, .invitationNotOpened])
    }

    @Test func `random bytes are refused`() throws {
        var random = TestSeeds.generator(20_261_125)
        let request = try invitation.sealRequest([1, 2, 3])
        for round in 0..<TestTier.count(500, long: 5_000) {
            var bytes = random.bytes(Int(random.next() % 150))
            let start = Array(request.prefix(Int(random.next() % 60)))
            bytes.replaceSubrange(0..<min(start.count, bytes.count), with: start)
            #expect(!invitation.refusals(bytes).contains(nil), "round \(round)")
        }
    }

    @Test func `the signature of a request holds only for its content, its invitation and its key`() throws {
        let joiner = try ReplicaDeviceKeys.generate()
        let other = try ReplicaDeviceKeys.generate()
        let (signingKey, otherKey) = (joiner.signingKey, other.signingKey)
        let id = invitation.id
        let proof = RequestProof.sign([1, 2, 3], invitation: id, deviceKeys: joiner)
        #expect(refusal(proof, [1, 2, 3], id, signingKey) == nil)
        #expect(refusal(proof, [1, 2, 4], id, signingKey) == .invitationRequestForged)
        #expect(refusal(proof, [1, 2, 3], [UInt8](0..<16), signingKey) == .invitationRequestForged)
        #expect(refusal(proof, [1, 2, 3], id, otherKey) == .invitationRequestForged)
        #expect(refusal(Array(proof.dropLast()), [1, 2, 3], id, signingKey) == .invitationRequestForged)
        #expect(refusal(proof, [1, 2, 3], id, []) == .invitationRequestForged)
        let asBatch = joiner.sign(id + [1, 2, 3], as: .batch)
        #expect(refusal(asBatch, [1, 2, 3], id, signingKey) == .invitationRequestForged)
    }

    private func refusal(
        _ proof: [UInt8], _ request: [UInt8], _ id: [UInt8], _ signingKey: [UInt8]
    ) -> CryptoError.Code? {
        code { () throws(CryptoError) in
            try RequestProof.verify(proof, of: request, invitation: id, signingKey: signingKey)
        }
    }
}

/// The key of an invitation. It is a class because the key itself cannot be copied.
private final class Invitation {
    private let key: InvitationKey

    init(_ typed: String) throws(CryptoError) {
        key = try InvitationKey(code: secretBytes(Array(typed.utf8)))
    }

    var id: [UInt8] { key.id }

    func sealRequest(_ plaintext: [UInt8]) throws(CryptoError) -> [UInt8] { try key.sealRequest(plaintext) }

    func openRequest(_ sealed: [UInt8]) throws(CryptoError) -> [UInt8] { try key.openRequest(sealed) }

    func sealWelcome(_ plaintext: [UInt8]) throws(CryptoError) -> [UInt8] {
        try key.sealWelcome(secretBytes(plaintext))
    }

    func openWelcome(_ sealed: [UInt8]) throws(CryptoError) -> [UInt8] { contents(of: try key.openWelcome(sealed)) }

    /// Returns the errors of opening the bytes as a request and as a welcome.
    func refusals(_ sealed: [UInt8]) -> [CryptoError.Code?] {
        [
            code { () throws(CryptoError) in _ = try openRequest(sealed) },
            code { () throws(CryptoError) in _ = try openWelcome(sealed) },
        ]
    }
}
