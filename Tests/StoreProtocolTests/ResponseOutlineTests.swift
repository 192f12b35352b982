import StoreBasics
import StoreProtocol
import SwiftProtobuf
import Testing

@Suite struct ResponseOutlineTests {
    private func outline(_ response: WireResponse) throws -> ResponseOutline {
        let payload: [UInt8] = try response.serializedBytes()
        return try payload.withUnsafeBytes { try ResponseOutline($0) }
    }

    @Test func `the outline contains the number and the bytes of the result`() throws {
        var response = WireResponse()
        response.id = 1 << 40
        response.more = true
        response.message.id = "m"
        let payload: [UInt8] = try response.serializedBytes()
        let outline = try outline(response)
        #expect(outline.id == 1 << 40 && outline.hasMore && !outline.isError)
        #expect(outline.resultNumber == CallKind.getMessage.rawValue)
        #expect(try Array(payload[outline.result]) == response.message.serializedBytes())
    }

    @Test func `a commit has the result number that most writes return`() throws {
        var response = WireResponse()
        response.commit.revision = 1
        #expect(try outline(response).resultNumber == ResponseOutline.commitNumber)
    }

    @Test func `the outline of an error has its reason and its message`() throws {
        var response = WireResponse()
        response.error.reason = "DISK_FULL"
        response.error.message = "no room"
        let payload: [UInt8] = try response.serializedBytes()
        let outline = try outline(response)
        #expect(outline.isError && !outline.hasMore)
        payload.withUnsafeBytes { bytes in
            #expect(outline.errorReason(in: bytes) == "DISK_FULL")
            #expect(outline.errorMessage(in: bytes) == "no room")
        }
    }

    @Test func `bytes that are not a message are rejected`() {
        #expect(throws: ProtobufFault.self) { try [0xff].withUnsafeBytes { try ResponseOutline($0) } }
    }

    @Test func `the frame of a request has its length and then its payload, which begins with the id`() throws {
        var request = WireRequest()
        request.getMessage.id = "m"
        request.id = 300
        let payload: [UInt8] = try request.serializedBytes()
        #expect(try request.frame() == [0, 0, 0, UInt8(payload.count)] + payload)
        #expect(payload.first == 1 << 3)
    }
}
