/// One thing, a field a line: names on the left, values on the right.
struct FieldList {
    private var fields: [(name: String, lines: [String])] = []

    mutating func add(_ name: String, _ value: String) {
        fields.append((name, [DisplayText.neutralized(value)]))
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

    /// Text that keeps its line breaks.
    mutating func add(_ name: String, lines text: String) {
        fields.append((name, DisplayText.neutralizedLines(text)))
    }

    func lines(terminal: Terminal?) -> [String] {
        let width = fields.map { DisplayWidth.columns($0.name) }.max() ?? 0
        let showsColor = terminal?.showsColor ?? false
        return fields.flatMap { field in
            field.lines.enumerated().map { index, line in
                let name = index == 0 ? field.name : ""
                let padding = String(repeating: " ", count: width - DisplayWidth.columns(name) + 2)
                return (showsColor && !name.isEmpty ? Style.bold.applied(to: name) : name) + padding + line
            }
        }
    }
}
