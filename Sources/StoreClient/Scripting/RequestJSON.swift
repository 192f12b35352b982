import StoreProtocol
import SwiftProtobuf

/// Requests as protobuf JSON (https://protobuf.dev/programming-guides/json/), such as
/// `{"getMessage": {"id": "…"}}`.
package enum RequestJSON {
    /// The payload of the request a JSON text stands for.
    package static func payload(json: String) throws(StoreClientError) -> [UInt8] {
        try PayloadJSON.payload(WireRequest.self, json: json)
    }

    /// One line of JSON.
    package static func json(requestPayload: [UInt8]) throws(StoreClientError) -> String {
        try PayloadJSON.json(WireRequest.self, payload: requestPayload)
    }
}

/// Responses as protobuf JSON.
package enum ResponseJSON {
    /// One line of JSON.
    package static func json(payload: [UInt8]) throws(StoreClientError) -> String {
        try PayloadJSON.json(WireResponse.self, payload: payload)
    }

    package static func payload(json: String) throws(StoreClientError) -> [UInt8] {
        try PayloadJSON.payload(WireResponse.self, json: json)
    }

    /// Whether no further response with the same id follows.
    package static func isFinal(payload: [UInt8]) throws(StoreClientError) -> Bool {
        try !outline(payload).hasMore
    }

    /// The error, when the response is one.
    package static func error(payload: [UInt8]) throws(StoreClientError) -> StoreClientError? {
        guard try outline(payload).isError else {
            return nil
        }
        return try StoreClientError(answer: payload)
    }

    private static func outline(_ payload: [UInt8]) throws(StoreClientError) -> AnswerOutline {
        do {
            return try payload.withUnsafeBytes { (bytes) throws(ProtobufFault) in try AnswerOutline(bytes) }
        } catch {
            throw .answerUnreadable("the payload is not a response")
        }
    }
}

/// Between the bytes and the JSON of a message.
enum PayloadJSON {
    static func payload<Wire: SwiftProtobuf.Message>(
        _ type: Wire.Type, json: String
    ) throws(StoreClientError) -> [UInt8] {
        do {
            var options = JSONDecodingOptions()
            options.messageDepthLimit = FrameLimits.messageDepthMax
            return try Wire(jsonString: json, options: options).serializedBytes()
        } catch {
            throw StoreClientError(
                code: .invalidArgument, reason: .jsonUnreadable,
                message: "not the protobuf JSON of a \(name(type)): \(error); hint: see proto-docs for the fields")
        }
    }

    static func json<Wire: SwiftProtobuf.Message>(
        _ type: Wire.Type, payload: [UInt8]
    ) throws(StoreClientError) -> String {
        do {
            return try Wire(serializedBytes: payload).jsonString()
        } catch {
            throw StoreClientError(
                code: .invalidArgument, reason: .answerUnreadable, message: "the payload is not a \(name(type))")
        }
    }

    private static func name<Wire: SwiftProtobuf.Message>(_ type: Wire.Type) -> String {
        Wire.protoMessageName
    }
}
