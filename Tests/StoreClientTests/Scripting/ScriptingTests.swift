import StoreProtocol
import SwiftProtobuf
import Testing

@testable import StoreClient

@Suite struct ScriptingTests {
    @Test func `the JSON of a request becomes its frame`() throws {
        let frame = try RequestJSON.frame(json: #"{"id":"7","getMessage":{"id":"m1"}}"#)
        let payload = try #require(try ResponseJSON.payload(in: frame))
        #expect(payload.upperBound == frame.count)
        let request = try WireRequest(serializedBytes: Array(frame[payload]))
        #expect(request.id == 7 && request.getMessage.id == "m1")
    }

    @Test(arguments: ["", "{", "[]", #"{"noSuchCall":{}}"#, #"{"id":"x"}"#])
    func `text that is not a request is refused with a reason`(json: String) {
        let error = #expect(throws: StoreClientError.self) { try RequestJSON.frame(json: json) }
        #expect(error?.reason == .jsonUnreadable)
    }

    @Test func `a payload that is not a response is refused`() {
        #expect(throws: StoreClientError.self) { try ResponseJSON.json(payload: [0xff, 0xff]) }
    }

    @Test func `a frame is found only in bytes that contain all of it`() throws {
        let frame: [UInt8] = [0, 0, 0, 3, 1, 2, 3]
        #expect(try ResponseJSON.payload(in: frame + [9]) == 4..<7)
        for count in 0..<frame.count {
            #expect(try ResponseJSON.payload(in: Array(frame[..<count])) == nil)
        }
        #expect(throws: StoreClientError.self) { try ResponseJSON.payload(in: [0, 0, 0, 0]) }
        #expect(throws: StoreClientError.self) { try ResponseJSON.payload(in: [255, 255, 255, 255]) }
        #expect(throws: StoreClientError.self) { try RequestJSON.frame(json: "{}") }
    }
}
