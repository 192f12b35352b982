import StoreProtocol
import SwiftProtobuf

/// Requests as protobuf JSON (https://protobuf.dev/programming-guides/json/), such as
/// `{"getMessage": {"id": "…"}}`.
package enum RequestJSON {
    /// The payload of the request a JSON text stands for.
    package static func payload(json: String) throws(StoreClientError) -> [UInt8] {
        do {
            return try request(json: json).serializedBytes()
        } catch let error as StoreClientError {
            throw error
        } catch {
            throw unreadable(error)
        }
    }

    static func request(json: String) throws(StoreClientError) -> WireRequest {
        var options = JSONDecodingOptions()
        options.messageDepthLimit = FrameLimits.messageDepthMax
        do {
            return try WireRequest(jsonString: json, options: options)
        } catch {
            throw unreadable(error)
        }
    }

    private static func unreadable(_ error: any Error) -> StoreClientError {
        StoreClientError(
            code: .invalidArgument, reason: .jsonUnreadable,
            message: "not the protobuf JSON of a \(WireRequest.protoMessageName): \(words(for: error)); "
                + "hint: see proto-docs for the fields")
    }

    private static func words(for error: any Error) -> String {
        guard let error = error as? JSONDecodingError else { return "it cannot be read" }
        return switch error {
        case .unknownField(let name): "there is no field '\(name)'"
        case .truncated: "it ends too early"
        case .trailingGarbage: "something follows it"
        case .conflictingOneOf: "it names two calls, or two alternatives of one field"
        case .unrecognizedEnumValue: "a word is not one of those that the field accepts"
        case .malformedNumber, .numberRange, .leadingZero: "a number is malformed or out of range"
        case .malformedString, .invalidUTF8: "a string is malformed"
        case .malformedBool: "a Boolean field must be true or false"
        case .messageDepthLimit: "it is nested too deep"
        case .schemaMismatch: "a value does not have the type of its field"
        default: "it is malformed"
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
