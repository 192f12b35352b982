import FoundationEssentials
import StoreBasics
import SwiftProtobuf
import Testing

@testable import StoreProtocol

private func outline(_ payload: [UInt8]) -> (outline: RequestOutline, isWhole: Bool) {
    payload.withUnsafeBytes { bytes in
        var outline = RequestOutline()
        do throws(ProtobufFault) {
            try outline.read(bytes)
            return (outline, true)
        } catch {
            return (outline, false)
        }
    }
}

@Suite struct RequestOutlineTests {
    @Test func `an envelope and call are found`() throws {
        let payload: [UInt8] = try WireRequest.with {
            $0.id = 900
            $0.deadlineMilliseconds = 250
            $0.idempotencyKey = Data("12345678".utf8)
            $0.getMessage = .with { $0.id = "m1" }
        }.serializedBytes()
        let found = outline(payload)
        #expect(found.isWhole)
        #expect(found.outline.id == 900)
        #expect(found.outline.deadlineMilliseconds == 250)
        #expect(found.outline.callNumber == CallKind.getMessage.rawValue)
        #expect(found.outline.idempotencyKey.map { Array(payload[$0]) } == Array("12345678".utf8))
        #expect(Array(payload[found.outline.call]) == [0x0a, 0x02] + Array("m1".utf8))
    }

    @Test func `the id is known also when the rest is malformed`() {
        let found = outline([0x08, 0x2a, 0xff])
        #expect(!found.isWhole)
        #expect(found.outline.id == 42)
    }

    @Test func `a second call is a fault`() {
        #expect(!outline([0x08, 0x01, 0x5a, 0x00, 0x62, 0x00]).isWhole)
    }

    @Test func `a request without call has none`() {
        #expect(outline([0x08, 0x01]).outline.callNumber == nil)
    }

    @Test func `fields of the call are counted up to the limit`() throws {
        let payload: [UInt8] = try WireRequest.with {
            $0.deleteMessages = .with { $0.ids = Array(repeating: "m", count: 50) }
        }.serializedBytes()
        let outline = outline(payload).outline
        payload.withUnsafeBytes {
            #expect(outline.callFieldCount(in: $0, upTo: 100) == 50)
            #expect(outline.callFieldCount(in: $0, upTo: 10) == 11)
        }
    }
}
