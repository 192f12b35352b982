/// Prints rows of one kind in the requested form, with a single heading for all pages. Only one task uses it.
final class Listing<Row: Tabular> {
    private let output: Output
    private let choice: ColumnChoice<Row>
    private let emptyText: String
    private var layout: TableLayout?
    private var isEmpty = true
    private let record = Row.record

    /// - Throws: An error if a column does not exist.
    init(_ output: Output, _ columns: [String]?, emptyText: String) throws(CommandFailure) {
        self.output = output
        self.emptyText = emptyText
        choice = try ColumnChoice(columns, output.form)
    }

    /// Shows a row for each element. Rows are created one after the other, so that each name is requested only once.
    func show<Element>(_ elements: [Element], _ row: (Element) async throws -> Row) async throws {
        var rows: [Row] = []
        for element in elements {
            rows.append(try await row(element))
        }
        try show(rows)
    }

    func show(_ rows: [Row]) throws(CommandFailure) {
        guard !rows.isEmpty else { return }
        if isEmpty {
            isEmpty = false
            try output.beginPaging()
        }
        switch output.form {
        case .people: try showTable(rows)
        case .names, .objects, .rows:
            for row in rows {
                try output.record(row.json, record, choice.fieldNames)
            }
            try output.flush()
        }
    }

    private func showTable(_ rows: [Row]) throws(CommandFailure) {
        let cells = rows.map(choice.cells)
        if layout == nil {
            let made = TableLayout(choice.columns, rows: cells, style: output.style)
            try output.line(made.heading)
            layout = made
        }
        for row in cells {
            try output.line(layout?.line(row) ?? "")
        }
        try output.flush()
    }

    /// Ends the list, and says so if it is empty. On a terminal, waits until the person leaves the pager, so that later
    /// output appears after the list.
    func finish() throws(CommandFailure) {
        if isEmpty {
            try output.sayEmpty(emptyText, choice.fieldNames)
        }
        try output.endPaging()
    }
}
