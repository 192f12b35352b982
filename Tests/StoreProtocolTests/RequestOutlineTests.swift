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
    @Test func `the outline contains the envelope and the call of a request`() throws {
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

    @Test func `the id is found even if the rest is malformed`() {
        let found = outline([0x08, 0x2a, 0xff])
        #expect(!found.isWhole)
        #expect(found.outline.id == 42)
    }

    @Test func `a request with two calls is malformed`() {
        #expect(!outline([0x08, 0x01, 0x5a, 0x00, 0x62, 0x00]).isWhole)
    }

    @Test func `the outline of a request without a call has no call number`() {
        #expect(outline([0x08, 0x01]).outline.callNumber == nil)
    }

    @Test func `fields of the call are counted up to just above the limit`() throws {
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
