/// Rows under headings, aligned, and on a terminal no wider than it.
struct Table {
    struct Column {
        enum Alignment {
            case left
            case right
        }

        let title: String
        let alignment: Alignment
        /// Columns it keeps when the table has to shrink; `nil` for one that is never cut.
        let columnsMin: Int?

        /// A column that is never cut, such as an id a person copies.
        static func fixed(_ title: String) -> Column {
            Column(title: title, alignment: .left, columnsMin: nil)
        }

        static func number(_ title: String) -> Column {
            Column(title: title, alignment: .right, columnsMin: nil)
        }

        /// A column that is cut first.
        static func text(_ title: String, columnsMin: Int = 8) -> Column {
            Column(title: title, alignment: .left, columnsMin: columnsMin)
        }
    }

    /// A cell: what it says, neutralised already, and how it is set off.
    struct Cell: ExpressibleByStringInterpolation {
        let text: String
        let style: Style?

        init(_ text: String, _ style: Style? = nil) {
            self.text = DisplayText.neutralized(text)
            self.style = style
        }

        init(stringLiteral text: String) {
            self.init(text)
        }
    }

    private static let gap = "  "

    let columns: [Column]
    private(set) var rows: [[Cell]] = []

    init(_ columns: [Column]) {
        self.columns = columns
    }

    mutating func add(_ row: [Cell]) {
        precondition(row.count == columns.count, "a row has a cell for each column")
        rows.append(row)
    }

    /// Lines without their newlines. Nothing is cut when there is no terminal.
    func lines(terminal: Terminal?) -> [String] {
        let widths = columnWidths(limit: terminal?.columns)
        let showsColor = terminal?.showsColor ?? false
        let heading = columns.map { Cell($0.title.uppercased(), .bold) }
        return ([heading] + rows).map { line($0, widths: widths, showsColor: showsColor) }
    }

    private func line(_ row: [Cell], widths: [Int], showsColor: Bool) -> String {
        var parts: [String] = []
        for (index, cell) in row.enumerated() {
            let text = DisplayWidth.truncated(cell.text, toColumns: widths[index])
            let styled = showsColor && !text.isEmpty ? cell.style?.applied(to: text) ?? text : text
            let padding = String(repeating: " ", count: max(0, widths[index] - DisplayWidth.columns(text)))
            let isLast = index == row.count - 1
            switch columns[index].alignment {
            case .left: parts.append(isLast ? styled : styled + padding)
            case .right: parts.append(padding + styled)
            }
        }
        return parts.joined(separator: Self.gap)
    }

    /// The widest cell of each column; then the widest of those that may shrink gives way, again and again.
    private func columnWidths(limit: Int?) -> [Int] {
        var widths = columns.indices.map { index in
            rows.reduce(DisplayWidth.columns(columns[index].title)) { max($0, DisplayWidth.columns($1[index].text)) }
        }
        guard let limit else { return widths }
        var excess = widths.reduce(0, +) + Self.gap.count * (columns.count - 1) - limit
        while excess > 0 {
            let shrinkable = columns.indices.filter { widths[$0] > (columns[$0].columnsMin ?? .max) }
            guard let widest = shrinkable.max(by: { widths[$0] < widths[$1] }) else { break }
            let next = shrinkable.filter { $0 != widest }.map { widths[$0] }.max() ?? 0
            let floor = max(columns[widest].columnsMin ?? 0, min(next, widths[widest] - 1))
            let step = min(excess, widths[widest] - floor)
            widths[widest] -= step
            excess -= step
        }
        return widths
    }
}

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
