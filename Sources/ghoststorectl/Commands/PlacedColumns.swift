/// The columns of a list: those of a row, and the conversation if the command line names no conversation.
enum PlacedColumns<Row: Tabular>: ColumnSource {
    static func columnNames(forPeople isForPeople: Bool, operands: [String]) -> [String] {
        operands.isEmpty
            ? ColumnChoice<PlacedRow<Row>>.names(forPeople: isForPeople)
            : ColumnChoice<Row>.names(forPeople: isForPeople)
    }
}
