import StoreBasics

/// The fields of a JSON object, read by name and type.
struct JSONRecord {
    /// The largest number of unknown fields in an error message, and of characters of each field's name.
    private static let unknownNamesMax = 3
    private static let unknownNameMax = 40

    private let fields: ExactDictionary<JSONValue>

    init(line: [UInt8]) throws(JSONError) {
        guard case .object(let fields) = try JSONParser.parse(line) else {
            throw JSONError("the line is not a JSON object")
        }
        self.init(fields: fields)
    }

    init(fields: ExactDictionary<JSONValue>) {
        self.fields = fields
    }

    func has(_ name: String) -> Bool {
        fields[name] != nil
    }

    /// Rejects fields that the program does not read.
    func allowOnly(_ names: Set<String>) throws(JSONError) {
        let unknown = fields.keys.filter { !names.contains($0) }
        guard unknown.isEmpty else {
            // An unknown field is most often misspelt, so the error message contains its name. A long name is cut,
            // because it is probably content.
            let shown = unknown.prefix(Self.unknownNamesMax).map { "'\($0.prefix(Self.unknownNameMax))'" }
            let more = unknown.count > shown.count ? " and \(unknown.count - shown.count) more" : ""
            let known = names.sorted().joined(separator: ", ")
            throw JSONError("unknown field \(shown.joined(separator: ", "))\(more); known fields: \(known)")
        }
    }

    func text(_ name: String) throws(JSONError) -> String {
        guard let text = try optionalText(name) else { throw JSONError("the field '\(name)' is missing") }
        return text
    }

    func optionalText(_ name: String) throws(JSONError) -> String? {
        switch fields[name] {
        case nil, .null: return nil
        case .string(let text): return text
        case .some(let other): throw mismatch(name, "a string", other)
        }
    }

    /// Returns a boolean; false if the field does not exist.
    func flag(_ name: String) throws(JSONError) -> Bool {
        switch fields[name] {
        case nil, .null: return false
        case .bool(let value): return value
        case .some(let other): throw mismatch(name, "a boolean", other)
        }
    }

    func optionalInteger(_ name: String) throws(JSONError) -> Int64? {
        switch fields[name] {
        case nil, .null:
            return nil
        case .number(let text):
            guard let value = Int64(text) else { throw JSONError("the field '\(name)' is not an integer of 64 bits") }
            return value
        case .some(let other):
            throw mismatch(name, "an integer", other)
        }
    }

    func texts(_ name: String) throws(JSONError) -> [String] {
        guard let value = fields[name] else { throw JSONError("the field '\(name)' is missing") }
        guard case .array(let elements) = value else { throw mismatch(name, "an array of strings", value) }
        var texts: [String] = []
        texts.reserveCapacity(elements.count)
        for element in elements {
            guard case .string(let text) = element else { throw mismatch(name, "an array of strings", element) }
            texts.append(text)
        }
        return texts
    }

    /// Returns the objects of an array; none if the field does not exist.
    func records(_ name: String) throws(JSONError) -> [JSONRecord] {
        let elements: [JSONValue]
        switch fields[name] {
        case nil, .null: return []
        case .array(let array): elements = array
        case .some(let other): throw mismatch(name, "an array of objects", other)
        }
        var records: [JSONRecord] = []
        for element in elements {
            guard case .object(let fields) = element else { throw mismatch(name, "an array of objects", element) }
            records.append(JSONRecord(fields: fields))
        }
        return records
    }

    private func mismatch(_ name: String, _ wanted: String, _ found: JSONValue) -> JSONError {
        JSONError("the field '\(name)' must be \(wanted), not \(found.kindName)")
    }
}

/// A parsed JSON value. A number keeps its text, and the code that reads the number checks its range.
enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([JSONValue])
    case object(ExactDictionary<JSONValue>)

    /// The name of the kind of value in error messages.
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

/// The reason why a text is not valid JSON. It never contains stored data.
struct JSONError: Error {
    let message: String

    init(_ message: String) {
        self.message = message
    }
}
