import StoreProtocol
import SwiftProtobuf

extension SwiftProtobuf.Message {
    /// Reads a message from protobuf JSON (https://protobuf.dev/programming-guides/json/). A field that the message
    /// does not have is an error.
    ///
    /// - Throws: `.jsonUnreadable`. The text of the error contains the name of an unknown field, and no content.
    init(protobufJSON json: String) throws(StoreClientError) {
        var options = JSONDecodingOptions()
        options.messageDepthLimit = FrameLimits.messageDepthMax
        do {
            try self.init(jsonString: json, options: options)
        } catch {
            throw StoreClientError(
                code: .invalidArgument, reason: .jsonUnreadable,
                message: "not the protobuf JSON of a \(Self.protoMessageName): \(fault(error)); "
                    + "hint: see proto-docs for the fields")
        }
    }
}

/// The number of characters of an unknown field's name that an error shows. A longer name is probably content in the
/// wrong place.
private let namedCharactersMax = 40

private func fault(_ error: any Error) -> String {
    guard let error = error as? JSONDecodingError else { return "the text cannot be read" }
    return switch error {
    case .unknownField(let name): "there is no field '\(name.prefix(namedCharactersMax))'"
    case .truncated: "the text ends too early"
    case .trailingGarbage: "more text follows the end"
    case .conflictingOneOf: "the text names two calls, two kinds of record, or two choices of one field"
    case .unrecognizedEnumValue: "a word is not one of the values that its field accepts"
    case .malformedNumber, .numberRange, .leadingZero: "a number is malformed or out of range"
    case .malformedString, .invalidUTF8: "a string is malformed"
    case .malformedBool: "a Boolean field must be true or false"
    case .messageDepthLimit: "the text is nested too deep"
    case .schemaMismatch: "a value does not have the type of its field"
    default: "the text is malformed"
    }
}
