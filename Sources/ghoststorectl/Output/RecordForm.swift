/// What programs get of a kind of row: the fields of its JSON, in their order, and which of them names it.
struct RecordForm {
    /// The field that other commands take: of a conversation its session id.
    let name: String
    let fields: [String]

    init(name: String, _ fields: [String]) {
        precondition(fields.contains(name), "the name of a record must be one of its fields")
        self.name = name
        self.fields = fields
    }

    /// What a row is called, in one line whatever people called it.
    func name(of object: JSONObject) -> String {
        DisplayText.neutralized(object.plainText(of: name))
    }
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
