import FoundationEssentials
import StoreProtocol
import SwiftProtobuf
import Testing

@testable import StoreClient

@Suite struct ScriptingTests {
    @Test func `JSON to payload and back keeps a request`() throws {
        let json = #"{"id":"7","getMessage":{"id":"m1"}}"#
        let payload = try RequestJSON.payload(json: json)
        #expect(try WireRequest(serializedBytes: payload).getMessage.id == "m1")
        #expect(try RequestJSON.json(requestPayload: payload) == json)
    }

    @Test(arguments: ["", "{", "[]", #"{"noSuchCall":{}}"#, #"{"id":"x"}"#])
    func `text that is no request is refused with its reason`(json: String) {
        let error = #expect(throws: StoreClientError.self) { try RequestJSON.payload(json: json) }
        #expect(error?.reason == .jsonUnreadable)
    }

    @Test func `a response says whether it is the last and whether it is an error`() throws {
        let part = try ResponseJSON.payload(json: #"{"id":"1","more":true,"progress":{"done":"3"}}"#)
        #expect(try !ResponseJSON.isFinal(payload: part))
        #expect(try ResponseJSON.error(payload: part) == nil)
        let refused = try ResponseJSON.payload(
            json: #"{"error":{"code":"ERROR_CODE_NOT_FOUND","reason":"MESSAGE_NOT_FOUND","message":"no"}}"#)
        #expect(try ResponseJSON.isFinal(payload: refused))
        let error = try #require(try ResponseJSON.error(payload: refused))
        #expect(error.code == .notFound && error.reason == .messageNotFound && error.message == "no")
    }

    @Test func `a payload that is no response is refused`() {
        #expect(throws: StoreClientError.self) { try ResponseJSON.json(payload: [0xff, 0xff]) }
        #expect(throws: StoreClientError.self) { try ResponseJSON.isFinal(payload: [0xff]) }
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

    private func request(_ frame: [UInt8]) throws -> WireRequest {
        guard case .payload(let range) = try Framing.parse(frame) else {
            throw StoreClientError(code: .internal, reason: .answerUnreadable, message: "not a whole frame")
        }
        #expect(range.upperBound == frame.count)
        return try WireRequest(serializedBytes: Array(frame[range]))
    }

    @Test func `hand-written frames are the ones protobuf writes`() throws {
        var message = WireNewMessage()
        message.id = "m"
        message.conversation.id = "c"
        message.text = String(repeating: "t", count: 300)
        message.senderSessionID = "s"
        message.recipientSessionID = "r"
        message.isOutgoing = true
        var expected = WireRequest()
        expected.id = 300
        expected.idempotencyKey.append(contentsOf: [1, 2, 3, 4, 5, 6, 7, 8])
        expected.saveMessage.message = message
        let frame = BenchFrames.saveMessage(
            requestID: 300, messageID: "m", conversationID: "c", text: message.text, senderSessionID: "s",
            recipientSessionID: "r", isOutgoing: true, idempotencyKey: [1, 2, 3, 4, 5, 6, 7, 8])
        #expect(try frame == Framing.frame(expected.serializedBytes()))

        #expect(try request(BenchFrames.ping(requestID: 1)).call == .ping(WirePingRequest()))
        let statistics = try request(BenchFrames.getStatistics(requestID: 1))
        #expect(statistics.call == .getStatistics(WireGetStatisticsRequest()))
        #expect(try request(BenchFrames.getMessage(requestID: 2, messageID: "m")).getMessage.id == "m")
        let list = try request(BenchFrames.listMessages(requestID: 3, conversationID: "c", limit: 10))
        #expect(list.listMessages.conversation.id == "c" && list.listMessages.limit == 10)
        let watch = try request(BenchFrames.watch(requestID: 4, afterRevision: 0)).watch
        #expect(watch.hasAfterRevision && watch.afterRevision == 0)
        #expect(try !request(BenchFrames.watch(requestID: 4)).watch.hasAfterRevision)
        let conversation = try request(BenchFrames.getOrCreateConversation(requestID: 5, sessionID: "s"))
        #expect(conversation.getOrCreateConversation.sessionID == "s")
    }

    @Test func `hand-written frames of scenes and logs are the ones protobuf writes`() throws {
        var set = WireRequest()
        set.id = 6
        set.setSceneValues.scene = "scene"
        set.setSceneValues.changes = [
            .with {
                $0.key = "key"
                $0.value.string = String(repeating: "v", count: 200)
            }
        ]
        let text = String(repeating: "v", count: 200)
        #expect(
            try BenchFrames.setSceneValue(requestID: 6, scene: "scene", key: "key", text: text)
                == Framing.frame(set.serializedBytes()))
        var get = WireRequest()
        get.id = 7
        get.getSceneValues.scene = "scene"
        get.getSceneValues.keys = ["key"]
        #expect(
            try BenchFrames.getSceneValue(requestID: 7, scene: "scene", key: "key")
                == Framing.frame(get.serializedBytes()))
        var append = WireRequest()
        append.id = 8
        append.appendLog.name = "log"
        append.appendLog.messages = [Data([0, 1, 255])]
        #expect(
            try BenchFrames.appendLog(requestID: 8, name: "log", message: [0, 1, 255])
                == Framing.frame(append.serializedBytes()))
    }

    @Test func `the head of a response is read without decoding it`() throws {
        var response = WireResponse()
        response.id = 1 << 40
        response.more = true
        response.progress.done = 1
        #expect(
            try BenchFrames.head(of: response.serializedBytes())
                == BenchFrames.ResponseHead(id: 1 << 40, isError: false, hasMore: true))
        response.more = false
        response.error.reason = "DISK_FULL"
        let refused: [UInt8] = try response.serializedBytes()
        #expect(BenchFrames.head(of: refused)?.isError == true)
        #expect(BenchFrames.error(in: refused)?.reason == .diskFull)
        #expect(BenchFrames.head(of: [0xff]) == nil)
    }
}
