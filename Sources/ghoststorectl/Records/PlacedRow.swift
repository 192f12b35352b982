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
