import StoreProtocol
import SwiftProtobuf

/// Requests as protobuf JSON (https://protobuf.dev/programming-guides/json/), such as
/// `{"getMessage": {"id": "…"}}`.
package enum RequestJSON {
    /// The payload of the request a JSON text stands for.
    package static func payload(json: String) throws(StoreClientError) -> [UInt8] {
        let request = try WireRequest(protobufJSON: json)
        do {
            return try request.serializedBytes()
        } catch {
            throw .answerUnreadable("the request cannot be written: \(error)")
        }
    }
}

/// Responses as protobuf JSON.
package enum ResponseJSON {
    /// One line of JSON.
    package static func json(payload: [UInt8]) throws(StoreClientError) -> String {
        do {
            return try WireResponse(serializedBytes: payload).jsonString()
        } catch {
            throw StoreClientError(
                code: .invalidArgument, reason: .answerUnreadable,
                message: "the payload is not a \(WireResponse.protoMessageName)")
        }
    }
}
