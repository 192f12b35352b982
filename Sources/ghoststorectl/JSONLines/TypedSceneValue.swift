import StoreClient

/// A value of a scene as an object whose one field is its kind, so that none is read back as another: `{"integer": 5}`.
/// Data is in base64, dates are microseconds since 1970; numbers that JSON has not are texts.
struct TypedSceneValue: JSONWritable {
    let value: SceneValue

    init(_ value: SceneValue) {
        self.value = value
    }

    init(_ json: JSONValue) throws(JSONError) {
        try self.init(json, depth: 1)
    }

    private init(_ json: JSONValue, depth: Int) throws(JSONError) {
        guard case .object(let fields) = json, fields.count == 1, let kind = fields.keys.first,
            let content = fields[kind]
        else { throw JSONError("a scene's value must be an object with one field, named by its kind") }
        guard depth <= SceneValue.nestingMax else {
            throw JSONError("a value of a scene has more than \(SceneValue.nestingMax) levels")
        }
        switch (kind, content) {
        case ("string", .string(let text)): value = .string(text)
        case ("url", .string(let text)): value = .url(text)
        case ("bool", .bool(let truth)): value = .bool(truth)
        case ("integer", .number(let text)): value = .integer(try Self.integer(text))
        case ("date", .number(let text)): value = .date(Timestamp(microseconds: try Self.integer(text)))
        case ("float", .number(let text)): value = .float(try .init(finiteText: text))
        case ("double", .number(let text)): value = .double(try .init(finiteText: text))
        case ("float", .string(let text)): value = .float(try .init(specialText: text))
        case ("double", .string(let text)): value = .double(try .init(specialText: text))
        case ("data", .string(let text)):
            guard let bytes = Base64.bytes(text) else { throw JSONError("data of a scene is not base64") }
            value = .data(bytes)
        case ("array", .array(let elements)):
            var values: [SceneValue] = []
            for element in elements {
                values.append(try TypedSceneValue(element, depth: depth + 1).value)
            }
            value = .array(values)
        case ("dictionary", .object(let elements)):
            var values = SceneDictionary()
            for (key, element) in elements {
                values[key] = try TypedSceneValue(element, depth: depth + 1).value
            }
            value = .dictionary(values)
        default:
            throw JSONError(
                "a value of a scene has an unknown kind, or a kind that cannot hold \(content.kindName)")
        }
    }

    private static func integer(_ text: String) throws(JSONError) -> Int64 {
        guard let number = Int64(text) else { throw JSONError("a value of a scene is not an integer of 64 bits") }
        return number
    }

    func appendJSON(to text: inout String) {
        object.appendJSON(to: &text)
    }

    private var object: JSONObject {
        var object = JSONObject()
        switch value {
        case .string(let text): object.add("string", text)
        case .integer(let number): object.add("integer", number)
        case .float(let number): object.add("float", JSONNumber(number))
        case .double(let number): object.add("double", JSONNumber(number))
        case .bool(let truth): object.add("bool", truth)
        case .url(let text): object.add("url", text)
        case .data(let bytes): object.add("data", Base64.text(bytes))
        case .date(let time): object.add("date", time.microseconds)
        case .array(let values): object.add("array", values.map { TypedSceneValue($0) })
        case .dictionary(let values):
            var entries = JSONObject()
            for (key, value) in values {
                entries.add(key, TypedSceneValue(value))
            }
            object.add("dictionary", entries)
        }
        return object
    }

    /// The shortest text that is read back as the same number.
    private struct JSONNumber: JSONWritable {
        private let text: String
        private let isNumber: Bool

        init(_ number: some SceneNumber) {
            isNumber = number.isFinite
            text = number.sceneText
        }

        func appendJSON(to text: inout String) {
            if isNumber {
                text += self.text
            } else {
                self.text.appendJSON(to: &text)
            }
        }
    }
}
