/// Rows of one kind in the form that was asked for, under one heading however many pages they come in. Used from one
/// task.
final class Listing<Row: Tabular> {
    private let output: Output
    private let choice: ColumnChoice<Row>
    private let emptyText: String
    private var layout: TableLayout?
    private var isEmpty = true
    private let record = Row.record

    /// - Throws: when there is no such column, before anything is asked of the daemon.
    init(_ output: Output, _ columns: [String]?, emptyText: String) throws(CommandFailure) {
        self.output = output
        self.emptyText = emptyText
        choice = try ColumnChoice(columns, output.form)
    }

    /// Shows a row for each element. Makes one row after the other, so that each name is asked for once.
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

    /// Says so when there was nothing. What is said from then on comes behind the list.
    func finish() throws(CommandFailure) {
        if isEmpty {
            try output.sayEmpty(emptyText, choice.fieldNames)
        }
        try output.endPaging()
    }
}
