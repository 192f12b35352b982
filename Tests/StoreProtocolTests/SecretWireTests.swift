import FoundationEssentials
import StoreBasics
import SwiftProtobuf
import TestBasics
import Testing

@testable import StoreProtocol

private let old = Array("correct horse battery staple".utf8)
private let new = Array("troubador".utf8)

private func secret(_ bytes: [UInt8]) -> WireSecret {
    .with {
        $0.kind = .passphrase
        $0.value = Data(bytes)
    }
}

private func request(_ call: WireRequest.OneOf_Call) throws -> [UInt8] {
    try WireRequest.with {
        $0.id = 77
        $0.deadlineMilliseconds = 1_000
        $0.call = call
    }.serializedBytes()
}

private func found(_ payload: [UInt8]) throws -> [SecretWire.Role: [UInt8]] {
    let places = try payload.withUnsafeBytes { try SecretWire.places(inRequest: $0) }
    return Dictionary(places.map { ($0.role, Array(payload[$0.range])) }) { first, _ in first }
}

@Suite struct SecretWireTests {
    @Test func `every secret of every call is found`() throws {
        let one: [WireRequest.OneOf_Call] = [
            .initializeStore(.with { $0.secret = secret(old) }),
            .unlock(.with { $0.secret = secret(old) }),
            .removeKeySlot(
                .with {
                    $0.secret = secret(old)
                    $0.slot = 3
                }),
            .verifyBackup(
                .with {
                    $0.name = "backup"
                    $0.secret = secret(old)
                }),
            .restoreBackup(
                .with {
                    $0.name = "backup"
                    $0.secret = secret(old)
                }),
            .joinReplicaGroup(
                .with {
                    $0.deviceName = "desk"
                    $0.code = secret(old)
                }),
        ]
        for call in one {
            #expect(try found(try request(call)) == [.secret: old])
        }
        let two: [WireRequest.OneOf_Call] = [
            .addKeySlot(
                .with {
                    $0.secret = secret(old)
                    $0.newSecret = secret(new)
                    $0.label = "desk"
                }),
            .changePassphrase(
                .with {
                    $0.secret = secret(old)
                    $0.newSecret = secret(new)
                }),
        ]
        for call in two {
            #expect(try found(try request(call)) == [.secret: old, .newSecret: new])
        }
    }

    @Test func `the table contains every call with a secret`() throws {
        // Finds every call whose message has a Secret in the .proto files.
        let proto = try RepositoryFiles.protoText()
        let calls = RepositoryFiles.calls(in: proto)
        let holders = RepositoryFiles.messages(in: proto).filter { $0.value.contains("Secret ") }.keys
        let expected = Set(calls.filter { holders.contains($0.type) }.map(\.number))
        #expect(expected == Set(SecretWire.requestPaths.map { $0.fields[0] }))
        for number in 0..<UInt32(400) {
            #expect(SecretWire.mayCarrySecrets(call: number) == expected.contains(number))
        }
    }

    @Test func `the table contains every result with a recovery code`() throws {
        let proto = try RepositoryFiles.protoText()
        let holders = RepositoryFiles.messages(in: proto).filter {
            $0.value.contains("bytes recovery_code") || $0.value.contains("bytes code")
        }.keys
        let results = RepositoryFiles.calls(in: proto, of: "result").filter { holders.contains($0.type) }
        #expect(Set(results.map(\.number)) == Set(SecretWire.responsePaths.map { $0.fields[0] }))
        #expect(results.count == SecretWire.responsePaths.count)
    }

    @Test func `recovery codes of responses are found`() throws {
        let code = Array("ABCD-EFGH".utf8)
        for result: WireResponse.OneOf_Result in [
            .initializeStore(.with { $0.recoveryCode = Data(code) }),
            .addKeySlot(
                .with {
                    $0.slot = 2
                    $0.recoveryCode = Data(code)
                }),
            .replicaInvitation(
                .with {
                    $0.code = Data(code)
                    $0.expiresAtMicroseconds = 5
                }),
        ] {
            let payload: [UInt8] = try WireResponse.with {
                $0.id = 5
                $0.result = result
            }.serializedBytes()
            let places = try payload.withUnsafeBytes { try SecretWire.places(inResponse: $0) }
            #expect(places.map(\.role) == [.recoveryCode])
            #expect(places.map { Array(payload[$0.range]) } == [code])
        }
    }

    @Test func `a request parses after its secrets are overwritten with zeros`() throws {
        var payload = try request(.unlock(.with { $0.secret = secret(old) }))
        for place in try payload.withUnsafeBytes({ try SecretWire.places(inRequest: $0) }) {
            payload.replaceSubrange(place.range, with: repeatElement(0, count: place.range.count))
        }
        let parsed = try WireRequest(serializedBytes: payload)
        #expect(parsed.id == 77)
        #expect(parsed.unlock.secret.kind == .passphrase)
        #expect(parsed.unlock.secret.value == Data(count: old.count))
    }

    @Test func `every occurrence of a repeated secret is found`() throws {
        // This call contains `secret` twice. Protobuf would merge the two and keep the last one.
        let first: [UInt8] = try secret(old).serializedBytes()
        let second: [UInt8] = try secret(new).serializedBytes()
        let call = [0x0a, UInt8(first.count)] + first + [0x0a, UInt8(second.count)] + second
        let payload: [UInt8] = [0xfa, 0x01, UInt8(call.count)] + call
        let places = try payload.withUnsafeBytes { try SecretWire.places(inRequest: $0) }
        #expect(places.map { Array(payload[$0.range]) } == [old, new])
    }

    @Test func `a request with more secrets than any message has is malformed`() {
        let value: [UInt8] = [0x12, 0x01, 0x41]
        let secret: [UInt8] = [0x0a, UInt8(value.count)] + value
        let call = Array(repeatElement(secret, count: 9).joined())
        let payload: [UInt8] = [0xfa, 0x01, UInt8(call.count)] + call
        #expect(throws: ProtobufFault.self) {
            try payload.withUnsafeBytes { try SecretWire.places(inRequest: $0) }
        }
    }

    @Test func `random bytes never trap`() {
        var generator = TestSeeds.generator(3)
        for _ in 0..<TestTier.count(1_000, long: 20_000) {
            var payload = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            payload.insert(contentsOf: [0xfa, 0x01], at: 0)
            _ = try? payload.withUnsafeBytes { try SecretWire.places(inRequest: $0) }
            _ = try? payload.withUnsafeBytes { try SecretWire.places(inResponse: $0) }
        }
    }
}
