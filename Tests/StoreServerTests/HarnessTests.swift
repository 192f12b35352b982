import FoundationEssentials
import StoreBasics
import StoreCrypto
import StoreProtocol
import SwiftProtobuf
import TestBasics
import Testing

@testable import StoreEngine
@testable import StoreServer

private func parse(
    _ payload: [UInt8], grants: Grants = .everything, uid: UInt32 = 1_000
) -> (parsed: ParsedRequest, payload: [UInt8]) {
    var payload = payload
    let harness = RequestHarness(permissions: CallPermissions(grants), uid: uid)
    let parsed = payload.withUnsafeMutableBytes { harness.parse($0, receivedAt: 1_000) }
    return (parsed, payload)
}

private func refusal(_ parsed: ParsedRequest) -> (id: UInt64, reason: ErrorReason, message: String)? {
    guard case .refused(let id, _, let failure) = parsed else { return nil }
    return (id, failure.reason, failure.message)
}

private func request(_ call: WireRequest.OneOf_Call, key: String = "", deadline: UInt32 = 0) throws -> [UInt8] {
    try WireRequest.with {
        $0.id = 5
        $0.call = call
        $0.idempotencyKey = Data(key.utf8)
        $0.deadlineMilliseconds = deadline
    }.serializedBytes()
}

@Suite struct HarnessTests {
    @Test func `a request is parsed with its envelope`() throws {
        let payload = try request(
            .deleteMessages(.with { $0.ids = ["a", "b"] }), key: "12345678", deadline: 3)
        guard case .request(let request) = parse(payload).parsed else {
            Issue.record("refused")
            return
        }
        #expect(request.id == 5)
        #expect(request.kind == .deleteMessages)
        #expect(request.deadline == 3_001_000)
        #expect(request.idempotencyKey != nil)
        #expect(request.bytes == CallLimits.requestBytes + payload.count + 2 * CallLimits.fieldBytes)
        guard case .mutation(.deleteMessages(let ids), _) = request.command else {
            Issue.record("not the mutation asked for")
            return
        }
        #expect(ids.map(\.text) == ["a", "b"])
    }

    @Test func `malformed payloads are rejected, with the id if it is known`() {
        #expect(refusal(parse([0xff]).parsed)?.reason == .requestMalformed)
        #expect(refusal(parse([0x08, 0x07, 0xff]).parsed)?.id == 7)
        #expect(refusal(parse([0x08, 0x07]).parsed)?.reason == .callUnknown)
        #expect(refusal(parse([0x08, 0x07, 0xc2, 0x3e, 0x00]).parsed)?.reason == .callUnknown)
        #expect(refusal(parse([0x5a, 0x00, 0x62, 0x00]).parsed)?.reason == .requestMalformed)
    }

    @Test func `a call without a right is rejected before it is parsed`() throws {
        let payload = try request(.saveMessage(.init()))
        #expect(refusal(parse(payload, grants: .none).parsed)?.reason == .permissionDenied)
        let readOnly = Grants(rights: [.read(.messages, nil)])
        #expect(refusal(parse(payload, grants: readOnly).parsed)?.reason == .permissionDenied)
        let get = try request(.getMessage(.with { $0.id = "m" }))
        #expect(refusal(parse(get, grants: readOnly).parsed) == nil)
    }

    @Test func `the permissions of a call follow from its requirement`() {
        let grants = [
            Grants.none, .allAreas, .everything, Grants(rights: [.read(.contacts, nil), .write(.messages, nil)]),
        ]
        for grants in grants {
            let permissions = CallPermissions(grants)
            for kind in CallKind.allCases {
                #expect(permissions.allows(kind) == grants.allows(kind.rule.requirement), "\(kind)")
            }
        }
    }

    @Test func `secrets are moved out of the payload and overwritten there`() throws {
        let passphrase = "correct horse battery staple"
        var payload = try request(
            .unlock(
                .with {
                    $0.secret.kind = .passphrase
                    $0.secret.value = Data(passphrase.utf8)
                }))
        let result = parse(payload)
        #expect(!String(decoding: result.payload, as: UTF8.self).contains("horse"))
        #expect(result.payload.count == payload.count)
        guard case .request(let request) = result.parsed, case .administration(let command) = request.command else {
            Issue.record("not administration")
            return
        }
        #expect(command.triesPassphrase)
        let secrets = try payload.withUnsafeMutableBytes { try RequestSecrets.lift(from: $0) }
        let box = try #require(try secrets.takeSecret(kind: .passphrase))
        guard let secret = box.take() else {
            Issue.record("the secret is gone")
            return
        }
        let kind = secret.kind
        let bytes = secret.bytes.withUnsafeBytes { Array($0) }
        #expect(kind == .passphrase)
        #expect(bytes == Array(passphrase.utf8))
    }

    @Test func `secrets are overwritten even if the request is rejected`() throws {
        let secret = WireSecret.with {
            $0.kind = .passphrase
            $0.value = Data("tell nobody".utf8)
        }
        let withoutRight = try request(.unlock(.with { $0.secret = secret }))
        #expect(!parse(withoutRight, grants: .none).payload.contains(UInt8(ascii: "b")))
        let malformed = withoutRight + [0xff]
        #expect(parse(malformed).payload.allSatisfy { $0 == 0 })
        var badKind = secret
        badKind.kind = .unspecified
        let result = parse(try request(.unlock(.with { $0.secret = badKind })))
        #expect(refusal(result.parsed)?.reason == .invalidArgument)
        #expect(!result.payload.contains(UInt8(ascii: "b")))
    }

    @Test func `the code of an invitation is moved out of the payload and overwritten, whatever its kind`() throws {
        for kind in [WireKeySlotKind.recoveryCode, .passphrase] {
            let payload = try request(
                .joinReplicaGroup(
                    .with {
                        $0.deviceName = "desk"
                        $0.code.kind = kind
                        $0.code.value = Data("tell nobody".utf8)
                    }))
            let result = parse(payload)
            #expect(!String(decoding: result.payload, as: UTF8.self).contains("nobody"))
            #expect(refusal(result.parsed)?.reason == (kind == .recoveryCode ? nil : .invalidArgument))
        }
    }

    @Test func `a request with two secrets in one field is rejected`() throws {
        let secret: [UInt8] = try WireSecret.with {
            $0.kind = .passphrase
            $0.value = Data("twice".utf8)
        }.serializedBytes()
        let call = [0x0a, UInt8(secret.count)] + secret + [0x0a, UInt8(secret.count)] + secret
        let payload = [0xfa, 0x01, UInt8(call.count)] + call
        let result = parse(payload)
        #expect(refusal(result.parsed)?.reason == .requestMalformed)
        #expect(result.payload.allSatisfy { $0 == 0 })
        // Without the right, the parser does not search for secrets. So it does not notice that the request has two
        // secrets, and copies neither of them into locked memory.
        let withoutRight = parse(payload, grants: .none)
        #expect(refusal(withoutRight.parsed)?.reason == .permissionDenied)
        #expect(withoutRight.payload.allSatisfy { $0 == 0 })
    }

    @Test func `too many entries are rejected before they are parsed`() throws {
        // Each entry takes 2 bytes in the frame, but several hundred once it is parsed.
        let count = TestTier.count(400_000, long: 2_000_000)
        let call = Array(repeatElement([0x0a, 0x00] as [UInt8], count: count).joined())
        var payload: [UInt8] = [0x08, 0x05, 0xca, 0x07]
        var rest = call.count
        while rest > 0x7f {
            payload.append(UInt8(rest & 0x7f) | 0x80)
            rest >>= 7
        }
        payload.append(UInt8(rest))
        let before = ProcessMemory.residentBytes
        let result = refusal(parse(payload + call).parsed)
        #expect(result?.reason == .requestTooLarge)
        #expect(result?.id == 5)
        #expect(result?.message.contains("at most 256") == true, "as PROTOCOL.md tells")
        #expect(ProcessMemory.residentBytes < before + 40 << 20)
    }

    @Test func `a large request of a small call is rejected`() throws {
        let payload = try request(.getMessage(.with { $0.id = String(repeating: "x", count: 20_000) }))
        #expect(refusal(parse(payload).parsed)?.reason == .requestTooLarge)
    }

    @Test func `deep nesting is rejected`() throws {
        // Each level is field 1 within field 1. From the second level on, the decoder does not know the field.
        var call: [UInt8] = []
        for _ in 0..<500 {
            var count = call.count
            var head: [UInt8] = [0x0a]
            while count > 0x7f {
                head.append(UInt8(count & 0x7f) | 0x80)
                count >>= 7
            }
            call = head + [UInt8(count)] + call
        }
        let kind = CallKind.saveMessage
        let failure = #expect(throws: StoreError.self) {
            try call.withUnsafeBytes { try kind.rule.decode(CallBytes($0)) }
        }
        #expect(failure?.reason == .invalidArgument || failure?.reason == .requestMalformed)
    }

    @Test func `only writes accept an idempotency key, and its length is limited`() throws {
        let save = WireRequest.OneOf_Call.deleteMessages(.with { $0.ids = ["m"] })
        #expect(refusal(parse(try request(save, key: "short")).parsed)?.reason == .invalidArgument)
        #expect(
            refusal(parse(try request(save, key: String(repeating: "k", count: 65))).parsed)?.reason
                == .invalidArgument)
        #expect(refusal(parse(try request(save, key: "12345678")).parsed) == nil)
        #expect(refusal(parse(try request(.ping(.init()), key: "12345678")).parsed)?.reason == .invalidArgument)
    }

    @Test func `the size of one commit has its own limit, independent of the frame limit`() throws {
        let mebibyte = 1 << 20
        let calls: [(Int) -> WireRequest.OneOf_Call] = [
            { count in
                let message = WireNewMessage.with {
                    $0.conversation.sessionID = "s"
                    $0.text = String(repeating: "x", count: mebibyte)
                }
                return .saveMessages(.with { $0.messages = Array(repeating: message, count: count) })
            },
            { count in
                .setSceneValues(
                    .with {
                        $0.scene = "s"
                        $0.changes = (0..<count).map { number in
                            .with {
                                $0.key = "k\(number)"
                                $0.value.data = Data(repeating: 1, count: mebibyte - 16)
                            }
                        }
                    })
            },
            { count in
                .appendLog(
                    .with {
                        $0.name = "l"
                        $0.messages = Array(repeating: Data(repeating: 1, count: mebibyte), count: count)
                    })
            },
        ]
        for call in calls {
            #expect(refusal(parse(try request(call(8))).parsed) == nil)
            #expect(refusal(parse(try request(call(9))).parsed)?.reason == .requestTooLarge)
        }
    }
}
