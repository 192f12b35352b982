/// A parsed JSON value. Numbers keep their text: which range they must be in is the reader's business.
enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// What messages call it.
    var kindName: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

/// Why a text is not the JSON it should be. Never holds content.
struct JSONError: Error {
    let message: String

    init(_ message: String) {
        self.message = message
    }
}
