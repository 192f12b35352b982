import FoundationEssentials
import StoreClient

/// The purpose of the JSON of a contact, a conversation or a message.
enum JSONForm: Hashable, Sendable {
    /// Output of `--json`.
    case shown
    /// A line of an export. It contains its kind, and no figures that the store computes.
    case line(withStoreTimes: Bool)
}

/// A type whose values can be written as the value of a JSON field.
protocol JSONWritable: SendableMetatype {
    func appendJSON(to text: inout String)
}

extension JSONWritable {
    var jsonText: String {
        var text = ""
        appendJSON(to: &text)
        return text
    }
}

/// One line of JSON (RFC 8259). Its fields are in the order in which they were added.
struct JSONObject: JSONWritable, ExpressibleByDictionaryLiteral {
    private var text = "{"
    /// The byte range of each field's value in the text.
    private var values: [(name: String, place: Range<Int>)] = []

    init() {}

    /// Creates an object and omits fields whose value is `nil`.
    init(dictionaryLiteral fields: (String, (any JSONWritable)?)...) {
        for case (let name, let value?) in fields {
            add(name, value)
        }
    }

    mutating func add(_ name: String, _ value: some JSONWritable) {
        if text.utf8.count > 1 {
            text += ", "
        }
        name.appendJSON(to: &text)
        text += ": "
        let start = text.utf8.count
        value.appendJSON(to: &text)
        values.append((name, start..<text.utf8.count))
    }

    /// Adds a field unless its value is `nil`.
    mutating func add(_ name: String, ifPresent value: (some JSONWritable)?) {
        if let value {
            add(name, value)
        }
    }

    /// The finished object, without a newline.
    var closed: String {
        text + "}"
    }

    func appendJSON(to text: inout String) {
        text += closed
    }
}

extension JSONObject {
    /// The names of the fields in their order.
    var names: [String] {
        values.map(\.name)
    }

    /// Returns an object with the existing fields among the given names, in the order of the names.
    func picking(_ names: [String]) -> JSONObject {
        guard names != self.names else { return self }
        var object = JSONObject()
        for name in names {
            object.add(name, ifPresent: valueText(of: name).map(WrittenJSON.init))
        }
        return object
    }

    /// Returns a field's value as plain text: a string without quotes and escapes; empty if the field does not exist.
    func plainText(of name: String) -> String {
        guard let written = valueText(of: name) else { return "" }
        // Compared by bytes: a quote followed by a combining mark is another Character.
        guard written.utf8.first == UInt8(ascii: "\""),
            case .string(let text)? = try? JSONParser.parse(Array(written.utf8))
        else { return String(written) }
        return text
    }

    private func valueText(of name: String) -> Substring? {
        guard let place = values.first(where: { $0.name == name })?.place else { return nil }
        let bytes = text.utf8
        return text[
            bytes.index(
                bytes.startIndex, offsetBy: place.lowerBound)..<bytes.index(
                    bytes.startIndex, offsetBy: place.upperBound)]
    }
}

/// A value that is already JSON.
private struct WrittenJSON: JSONWritable {
    let text: Substring

    func appendJSON(to text: inout String) {
        text += self.text
    }
}

extension JSONObject {
    /// Creates an object. In a line of an export, its first field is the kind.
    init(_ form: JSONForm, kind: String) {
        if case .line = form {
            add("kind", kind)
        }
    }

    /// Adds the times at which the store created and changed the entry.
    mutating func addStoreTimes(_ form: JSONForm, _ createdAt: Timestamp, _ updatedAt: Timestamp? = nil) {
        guard form != .line(withStoreTimes: false) else { return }
        add("created_at_microseconds", createdAt.microseconds)
        add("updated_at_microseconds", ifPresent: updatedAt?.microseconds)
    }
}

extension Bool: JSONWritable {
    func appendJSON(to text: inout String) {
        text += self ? "true" : "false"
    }
}

extension JSONWritable where Self: BinaryInteger {
    func appendJSON(to text: inout String) {
        text += String(self)
    }
}

extension Int: JSONWritable {}
extension Int32: JSONWritable {}
extension Int64: JSONWritable {}
extension UInt32: JSONWritable {}
extension UInt64: JSONWritable {}

/// A time, written in microseconds since 1970.
extension Timestamp: JSONWritable {
    func appendJSON(to text: inout String) {
        microseconds.appendJSON(to: &text)
    }
}

extension Array: JSONWritable where Element: JSONWritable {
    func appendJSON(to text: inout String) {
        text += "["
        for (index, value) in enumerated() {
            text += index == 0 ? "" : ", "
            value.appendJSON(to: &text)
        }
        text += "]"
    }
}

/// A JSON string. It escapes what RFC 8259 demands, and also the control characters from U+007F to U+009F, so that a
/// line of JSON is safe to print on a terminal. Other characters are written in UTF-8.
extension String: JSONWritable {
    func appendJSON(to text: inout String) {
        text += "\""
        if utf8.contains(where: Self.mayNeedEscape) {
            for scalar in unicodeScalars {
                Self.appendEscaped(scalar, to: &text)
            }
        } else {
            text += self
        }
        text += "\""
    }

    /// Returns true if the byte may need an escape; 0xC2 starts U+0080 to U+00BF.
    private static func mayNeedEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0xC2
    }

    private static func appendEscaped(_ scalar: Unicode.Scalar, to text: inout String) {
        switch scalar {
        case "\"": text += "\\\""
        case "\\": text += "\\\\"
        case "\n": text += "\\n"
        case "\r": text += "\\r"
        case "\t": text += "\\t"
        case "\u{08}": text += "\\b"
        case "\u{0C}": text += "\\f"
        case "\u{00}"..."\u{1F}", "\u{7F}"..."\u{9F}":
            text += "\\u\(scalar.value, width: 4, radix: 16)"
        default: text.unicodeScalars.append(scalar)
        }
    }
}

/// Bytes as base64 text (RFC 4648, section 4, padded), as protobuf JSON writes them.
enum Base64 {
    static func text(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString()
    }

    static func bytes(_ text: String) -> [UInt8]? {
        Data(base64Encoded: text).map { Array($0) }
    }
}
