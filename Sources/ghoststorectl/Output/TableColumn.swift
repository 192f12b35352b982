import StoreClient

/// A column of a table, with a function that returns its cell in a row.
struct TableColumn<Row>: Sendable {
    let column: Table.Column
    let cell: @Sendable (Row) -> Table.Cell

    init<Value: CellValue>(_ column: Table.Column, _ value: @escaping @Sendable (Row) -> Value) {
        self.column = column
        cell = { value($0).cell }
    }

    /// Returns this column for a row that contains a row of this kind.
    func within<Outer>(_ part: @escaping @Sendable (Outer) -> Row) -> TableColumn<Outer> {
        TableColumn<Outer>(column) { cell(part($0)) }
    }
}

protocol CellValue: SendableMetatype {
    var cell: Table.Cell { get }
}

extension Table.Cell: CellValue {
    var cell: Table.Cell { self }
}

extension String: CellValue {
    var cell: Table.Cell { Table.Cell(self) }
}

extension Timestamp: CellValue {
    var cell: Table.Cell { Table.Cell(self) }
}

extension CellValue where Self: BinaryInteger {
    var cell: Table.Cell { Table.Cell(String(self)) }
}

extension Int: CellValue {}
extension Int32: CellValue {}
extension UInt32: CellValue {}
extension UInt64: CellValue {}

/// An absent value has an empty cell.
extension Optional: CellValue where Wrapped: CellValue {
    var cell: Table.Cell { self?.cell ?? "" }
}

extension Tabular {
    static var columns: [Table.Column] { table.map(\.column) }

    var cells: [Table.Cell] { Self.table.map { $0.cell(self) } }
}
