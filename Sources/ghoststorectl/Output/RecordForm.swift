import StoreClient

/// What programs get of a kind of row: the fields of its JSON, in their order, and which of them names it.
struct RecordForm {
    /// The field that other commands take: of a conversation its session id.
    let name: String
    let fields: [String]

    init(name: String, _ fields: [String]) {
        precondition(fields.contains(name), "a record's name is one of its fields")
        self.name = name
        self.fields = fields
    }

    /// What a row is called, in one line whatever people called it.
    func name(of object: JSONObject) -> String {
        DisplayText.neutralized(object.plainText(of: name))
    }
}

/// The fields of a kind of thing as JSON, each with its value in one thing.
struct JSONFields<Item>: Sendable {
    struct Field: Sendable {
        let name: String
        fileprivate let add: @Sendable (Item, inout JSONObject) -> Void

        static func field<Value: JSONWritable>(
            _ name: String, _ value: @escaping @Sendable (Item) -> Value
        ) -> Field {
            Field(name: name) { $1.add(name, value($0)) }
        }

        /// A field that is left out where there is no value.
        static func field<Value: JSONWritable>(
            _ name: String, ifPresent value: @escaping @Sendable (Item) -> Value?
        ) -> Field {
            Field(name: name) { $1.add(name, ifPresent: value($0)) }
        }

        /// The field of a thing that has the other one in it.
        func within<Outer>(_ part: @escaping @Sendable (Outer) -> Item) -> JSONFields<Outer>.Field {
            JSONFields<Outer>.Field(name: name) { add(part($0), &$1) }
        }
    }

    /// The one that names a thing.
    let name: String
    let fields: [Field]

    init(name: String, _ fields: [Field]) {
        (self.name, self.fields) = (name, fields)
    }

    var record: RecordForm { RecordForm(name: name, fields.map(\.name)) }

    func json(_ item: Item) -> JSONObject {
        fields.reduce(into: JSONObject()) { $1.add(item, &$0) }
    }
}

/// A thing whose JSON has the same fields in lists and alone.
protocol Described: Named {
    static var description: JSONFields<Self> { get }
}

extension Described {
    var json: JSONObject { Self.description.json(self) }

    static var record: RecordForm { description.record }
}

/// A column of a table with its cell in a row.
struct TableColumn<Row>: Sendable {
    let column: Table.Column
    let cell: @Sendable (Row) -> Table.Cell

    init<Value: CellValue>(_ column: Table.Column, _ value: @escaping @Sendable (Row) -> Value) {
        self.column = column
        cell = { value($0).cell }
    }
}

/// What can be a cell.
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

/// An absent value is an empty cell.
extension Optional: CellValue where Wrapped: CellValue {
    var cell: Table.Cell { self?.cell ?? "" }
}

extension Tabular {
    static var columns: [Table.Column] { table.map(\.column) }

    var cells: [Table.Cell] { Self.table.map { $0.cell(self) } }
}

/// The columns of a list that are wanted, in the order wanted: those of its table, and any field of its JSON.
struct ColumnChoice<Row: Tabular> {
    private enum Source {
        case cell(Int)
        case field(String)
    }

    let columns: [Table.Column]
    /// For programs.
    let fieldNames: [String]
    private let sources: [Source]

    /// - Parameters:
    ///   - names: `nil` for those that the table has, or for all fields.
    ///   - form: only people are shown what is made of fields; programs get the fields.
    init(_ names: [String]?, _ form: OutputForm) throws(CommandFailure) {
        let table = Row.columns
        guard let names else {
            columns = table
            fieldNames = Row.record.fields
            sources = table.indices.map { .cell($0) }
            return
        }
        let isForPeople =
            switch form {
            case .people: true
            case .objects, .rows: false
            case .names:
                throw .namesOnly(without: "--columns")
            }
        var chosen: [(Table.Column, Source)] = []
        for name in names {
            if isForPeople, let index = table.firstIndex(where: { $0.name == name }) {
                // A column that was asked for is not left out to give a text more room.
                var column = table[index]
                column.isExtra = false
                chosen.append((column, .cell(index)))
            } else if Row.record.fields.contains(name) {
                chosen.append((.text(name), .field(name)))
            } else {
                throw Self.isUnknown(name, forPeople: isForPeople)
            }
        }
        columns = chosen.map(\.0)
        sources = chosen.map(\.1)
        fieldNames = names
    }

    func cells(_ row: Row) -> [Table.Cell] {
        let cells = row.cells
        let json = row.json
        return sources.map { source in
            switch source {
            case .cell(let index): cells[index]
            case .field(let name): Table.Cell(json.plainText(of: name))
            }
        }
    }

    /// What there is to choose from, the columns of the table before the other fields.
    static func names(forPeople isForPeople: Bool) -> [String] {
        let titles = isForPeople ? Row.columns.map(\.name) : []
        return titles + Row.record.fields.filter { !titles.contains($0) }
    }

    private static func isUnknown(_ name: String, forPeople isForPeople: Bool) -> CommandFailure {
        let known = names(forPeople: isForPeople).joined(separator: ", ")
        return CommandFailure(.usage, "there is no column '\(name)'; hint: one of \(known)")
    }
}
