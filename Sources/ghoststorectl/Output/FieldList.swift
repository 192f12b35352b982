import StoreBasics
import StoreClient

/// The fields of one entry, one line each: names on the left, values on the right.
struct FieldList: ExpressibleByDictionaryLiteral {
    enum Content {
        case lines([String])
        case time(Timestamp)

        /// Creates content from a text that keeps its line breaks.
        init(lines text: String) {
            self = .lines(DisplayText.neutralizedLines(text))
        }
    }

    private var fields: [(name: String, value: Content)] = []

    /// Creates the list. It omits fields whose value is `nil`, and optional texts that are empty.
    init(dictionaryLiteral fields: (String, any FieldValue)...) {
        for (name, value) in fields {
            add(name, value)
        }
    }

    mutating func add(_ name: String, _ value: some FieldValue) {
        if let value = value.inField {
            fields.append((name, value))
        }
    }

    func lines(_ style: DisplayStyle) -> [String] {
        let width = fields.map { DisplayWidth.columns($0.name) }.max() ?? 0
        return fields.flatMap { field in
            let values =
                switch field.value {
                case .lines(let lines): lines
                case .time(let time): [time.longText(style.times)]
                }
            return values.enumerated().map { index, value in
                let name = index == 0 ? field.name : ""
                let padding = String(repeating: " ", count: width - DisplayWidth.columns(name) + 2)
                return (style.showsColor && !name.isEmpty ? Style.bold.applied(to: name) : name) + padding + value
            }
        }
    }
}

/// A type whose values can be shown in a list of fields.
protocol FieldValue {
    /// The content; `nil` if the field is omitted.
    var inField: FieldList.Content? { get }
}

extension FieldList.Content: FieldValue {
    var inField: FieldList.Content? { self }
}

extension String: FieldValue {
    var inField: FieldList.Content? { .lines([DisplayText.neutralized(self)]) }
}

extension Bool: FieldValue {
    var inField: FieldList.Content? { (self ? "yes" : "no").inField }
}

extension Timestamp: FieldValue {
    var inField: FieldList.Content? { .time(self) }
}

extension FieldValue where Self: BinaryInteger {
    var inField: FieldList.Content? { String(self).inField }
}

extension Int: FieldValue {}
extension Int32: FieldValue {}
extension UInt32: FieldValue {}
extension UInt64: FieldValue {}

extension Optional: FieldValue where Wrapped: FieldValue {
    var inField: FieldList.Content? {
        (self as? String)?.isEmpty == true ? nil : self?.inField
    }
}
