import StoreBasics
import StoreClient

/// One thing, a field a line: names on the left, values on the right.
struct FieldList {
    private enum Value {
        case lines([String])
        case time(Timestamp)
    }

    private var fields: [(name: String, value: Value)] = []

    mutating func add(_ name: String, _ value: String) {
        fields.append((name, .lines([DisplayText.neutralized(value)])))
    }

    /// Leaves out what is not there.
    mutating func add(_ name: String, ifPresent value: String?) {
        if let value, !value.isEmpty {
            add(name, value)
        }
    }

    mutating func add(_ name: String, _ value: Bool) {
        add(name, value ? "yes" : "no")
    }

    mutating func add(_ name: String, _ value: some BinaryInteger) {
        add(name, String(value))
    }

    mutating func add(_ name: String, _ time: Timestamp) {
        fields.append((name, .time(time)))
    }

    mutating func add(_ name: String, ifPresent time: Timestamp?) {
        if let time {
            add(name, time)
        }
    }

    /// Text that keeps its line breaks.
    mutating func add(_ name: String, lines text: String) {
        fields.append((name, .lines(DisplayText.neutralizedLines(text))))
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
