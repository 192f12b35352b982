/// A row of a list that has entries of several conversations, with the name of the row's conversation.
struct PlacedRow<Row: Tabular>: Tabular {
    let row: Row
    let conversation: ShownName

    var json: JSONObject { row.json }

    static var record: RecordForm { Row.record }

    static var table: [TableColumn<PlacedRow>] {
        Row.table.prefix(1).map { $0.within(\.row) }
            + [.init(.text("conversation", columnsMin: 12, worth: 6), \.conversation.cell)]
            + Row.table.dropFirst().map { $0.within(\.row) }
    }
}

/// The columns of a list: those of a row, and the conversation if the command line names no conversation.
enum PlacedColumns<Row: Tabular>: ColumnSource {
    static func columnNames(forPeople isForPeople: Bool, operands: [String]) -> [String] {
        operands.isEmpty
            ? ColumnChoice<PlacedRow<Row>>.names(forPeople: isForPeople)
            : ColumnChoice<Row>.names(forPeople: isForPeople)
    }
}
