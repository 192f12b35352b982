import ArgumentParser
import StoreClient

/// What a value on the command line is.
enum SceneValueType: String, CaseIterable, ExpressibleByArgument {
    case string
    case integer
    case float
    case double
    case boolean
    case url
    case data
    case date
    case json

    /// Values are sent together in a request of so many bytes at most.
    private static let inputBytesMax = 8 << 20

    /// - Parameter word: the value, or '-' for what standard input holds.
    func value(word: String, key: String) throws(CommandFailure) -> SceneValue {
        guard word == "-" else { return try value(word, key: key) }
        switch self {
        case .data:
            return .data(try Content.bytes(word, bytesMax: Self.inputBytesMax))
        case .string:
            return .string(try Content.text(word, bytesMax: Self.inputBytesMax))
        case .integer, .float, .double, .boolean, .url, .date, .json:
            var text = try Content.text(word, bytesMax: Self.inputBytesMax).drop(while: \.isWhitespace)
            while text.last?.isWhitespace == true {
                text.removeLast()
            }
            return try value(String(text), key: key)
        }
    }

    private func value(_ text: String, key: String) throws(CommandFailure) -> SceneValue {
        guard let value = try parse(text, key: key) else {
            throw CommandFailure(.badData, "the value of '\(key)' is not of type \(rawValue)")
        }
        return value
    }

    private func parse(_ text: String, key: String) throws(CommandFailure) -> SceneValue? {
        switch self {
        case .string: return .string(text)
        case .integer: return Int64(text).map { .integer($0) }
        case .float: return Float(text).map { .float($0) }
        case .double: return Double(text).map { .double($0) }
        case .boolean: return Bool(text).map { .bool($0) }
        case .url: return .url(text)
        case .data: return Base64.bytes(text).map { .data($0) }
        case .date: return TimeOption(argument: text).map { .date($0.timestamp) }
        case .json:
            do throws(JSONError) {
                return try SceneValue(try JSONParser.parse(Array(text.utf8)))
            } catch {
                throw CommandFailure(.badData, "the value of '\(key)' is not usable: \(error.message)")
            }
        }
    }
}

extension SceneValue {
    /// Whole numbers become integers, others doubles. There is no value for null.
    init(_ json: JSONValue) throws(JSONError) {
        switch json {
        case .null:
            throw JSONError("a scene has no value for null; leave it out")
        case .bool(let truth):
            self = .bool(truth)
        case .number(let text):
            if let number = Int64(text) {
                self = .integer(number)
            } else if let number = Double(text), number.isFinite {
                self = .double(number)
            } else {
                throw JSONError("a number is out of range")
            }
        case .string(let text):
            self = .string(text)
        case .array(let elements):
            var values: [SceneValue] = []
            for element in elements {
                values.append(try SceneValue(element))
            }
            self = .array(values)
        case .object(let fields):
            var values: [String: SceneValue] = [:]
            for (name, field) in fields {
                values[name] = try SceneValue(field)
            }
            self = .dictionary(values)
        }
    }
}
