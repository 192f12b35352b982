import StoreProtocol
import SwiftProtobuf
import Testing

@testable import StoreClient

@Suite struct ScriptingTests {
    @Test func `the JSON of a request becomes its payload`() throws {
        let payload = try RequestJSON.payload(json: #"{"id":"7","getMessage":{"id":"m1"}}"#)
        let request = try WireRequest(serializedBytes: payload)
        #expect(request.id == 7 && request.getMessage.id == "m1")
    }

    @Test(arguments: ["", "{", "[]", #"{"noSuchCall":{}}"#, #"{"id":"x"}"#])
    func `text that is no request is refused with its reason`(json: String) {
        let error = #expect(throws: StoreClientError.self) { try RequestJSON.payload(json: json) }
        #expect(error?.reason == .jsonUnreadable)
    }

    @Test func `a payload that is no response is refused`() {
        #expect(throws: StoreClientError.self) { try ResponseJSON.json(payload: [0xff, 0xff]) }
    }

    @Test func `a frame is found in bytes that hold more and less than it`() throws {
        let frame = try Framing.frame([1, 2, 3])
        #expect(frame == [0, 0, 0, 3, 1, 2, 3])
        #expect(try Framing.parse(frame + [9]) == .payload(4..<7))
        for count in 0..<frame.count {
            #expect(try Framing.parse(Array(frame[..<count])) == .needMore)
        }
        #expect(throws: StoreClientError.self) { try Framing.parse([0, 0, 0, 0]) }
        #expect(throws: StoreClientError.self) { try Framing.parse([255, 255, 255, 255]) }
        #expect(throws: StoreClientError.self) { try Framing.frame([]) }
    }
}
