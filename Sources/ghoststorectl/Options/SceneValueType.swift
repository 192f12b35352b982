import ArgumentParser
import StoreClient

/// The type of a scene value on the command line.
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

    /// The largest input. Values are sent together in one request, whose size is limited.
    private static let inputBytesMax = 8 << 20

    /// - Parameters:
    ///   - word: The value, or '-' for the contents of standard input.
    ///   - allowsEmpty: False to reject an empty standard input.
    func value(word: String, key: String, allowsEmpty: Bool) throws(CommandFailure) -> SceneValue {
        guard word == "-" else { return try value(word, key: key) }
        guard self != .data else {
            return .data(try Content.bytes(word, bytesMax: Self.inputBytesMax, allowsEmpty: allowsEmpty))
        }
        let text = try Content.text(word, bytesMax: Self.inputBytesMax, allowsEmpty: allowsEmpty)
        guard self != .string else { return .string(text) }
        var trimmed = text.drop(while: \.isWhitespace)
        while trimmed.last?.isWhitespace == true {
            trimmed.removeLast()
        }
        return try value(String(trimmed), key: key)
    }

    private func value(_ text: String, key: String) throws(CommandFailure) -> SceneValue {
        do throws(JSONError) {
            return try parse(text)
        } catch {
            throw CommandFailure(.badData, "the value of '\(key)' is not of type \(rawValue): \(error.message)")
        }
    }

    private func parse(_ text: String) throws(JSONError) -> SceneValue {
        switch self {
        case .string: return .string(text)
        case .integer: return .integer(try Self.some(Int64(text), "a whole number of 64 bits"))
        case .float: return .float(try .init(sceneText: text))
        case .double: return .double(try .init(sceneText: text))
        case .boolean: return .bool(try Self.some(Bool(text), "true or false"))
        case .url: return .url(text)
        case .data: return .data(try Self.some(Base64.bytes(text), "base64"))
        case .date: return .date(try Self.some(TimeText.timestamp(text), "a time"))
        case .json: return try SceneValue(try JSONParser.parse(Array(text.utf8)))
        }
    }

    /// - Parameter wanted: The expected form of the text.
    private static func some<Value>(_ value: Value?, _ wanted: String) throws(JSONError) -> Value {
        guard let value else { throw JSONError("\(wanted) is expected") }
        return value
    }
}

extension SceneValue {
    /// Creates a value: an integer from a whole number, a double from any other number. Null is rejected.
    init(_ json: JSONValue) throws(JSONError) {
        switch json {
        case .null:
            throw JSONError("a scene cannot store null; leave the key out")
        case .bool(let truth):
            self = .bool(truth)
        case .number(let text):
            if let number = Int64(text) {
                self = .integer(number)
            } else {
                self = .double(try .init(finiteText: text))
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
            var values = SceneDictionary()
            for (name, field) in fields {
                values[name] = try SceneValue(field)
            }
            self = .dictionary(values)
        }
    }
}
