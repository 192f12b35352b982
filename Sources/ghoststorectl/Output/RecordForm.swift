/// The form of a row for programs: the fields of its JSON in order, and the field that contains the row's name.
struct RecordForm {
    /// The field that other commands accept as a name, such as a conversation's session ID.
    let name: String
    let fields: [String]

    init(name: String, _ fields: [String]) {
        precondition(fields.contains(name), "the name of a record must be one of its fields")
        self.name = name
        self.fields = fields
    }

    /// Returns the name of a row in one line, whatever characters it contains.
    func name(of object: JSONObject) -> String {
        DisplayText.neutralized(object.plainText(of: name))
    }
}

/// The chosen columns of a list in the chosen order: columns of its table, and any field of its JSON.
struct ColumnChoice<Row: Tabular> {
    private enum Source {
        case cell(Int)
        case field(String)
    }

    let columns: [Table.Column]
    /// The names of the fields, for programs.
    let fieldNames: [String]
    private let sources: [Source]

    /// - Parameters:
    ///   - names: The chosen names; `nil` for all columns of the table, or all fields.
    ///   - form: The output form. Columns that are computed from fields are only for people; programs get the fields.
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
                // A column that was requested is never omitted to give a text more room.
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

    /// Returns the names to choose from: the columns of the table first, then the other fields.
    static func names(forPeople isForPeople: Bool) -> [String] {
        let titles = isForPeople ? Row.columns.map(\.name) : []
        return titles + Row.record.fields.filter { !titles.contains($0) }
    }

    private static func isUnknown(_ name: String, forPeople isForPeople: Bool) -> CommandFailure {
        let known = names(forPeople: isForPeople).joined(separator: ", ")
        return CommandFailure(.usage, "there is no column '\(name)'; hint: one of \(known)")
    }
}
