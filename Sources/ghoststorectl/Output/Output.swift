import Glibc
import StoreBasics
import StoreClient

/// Standard output in the requested form. Only one task uses it.
final class Output {
    let form: OutputForm
    let style: DisplayStyle
    private let standard: DescriptorWriter
    /// The command that shows lists on a terminal a page at a time; `nil` for none.
    private let pagerCommand: String?
    private var pager: Pager?
    /// The current heading of the rows for programs.
    private var heading: [String] = []

    /// - Parameter descriptor: Standard error if standard output carries other data.
    init(
        _ form: OutputForm, style: DisplayStyle, descriptor: Int32 = ProgramRun.current.output,
        pagerCommand: String? = nil
    ) {
        self.form = form
        self.style = style
        let isPaged = style.terminal != nil && descriptor == ProgramRun.current.output
        self.pagerCommand = isPaged ? pagerCommand : nil
        standard = DescriptorWriter(descriptor: descriptor)
    }

    private var writer: DescriptorWriter { pager?.writer ?? standard }

    /// Shows one entry: its fields for people, an object or a row for programs. With `--quiet`, prints only the entry's
    /// name, or nothing for an entry without a name.
    func show(_ item: some Presentable) throws(CommandFailure) {
        switch form {
        case .objects, .rows: try writeFields(of: item.json, item.json.names)
        case .names where item is any Named: try line(Self.name(of: item))
        case .names: break
        case .people: try writeLines(of: item)
        }
        try flush()
    }

    /// Says what was done, and shows the result: a sentence and fields for people, an object or a row for programs.
    /// With `--quiet` nothing is printed.
    func say(_ sentence: String, _ item: some Presentable) throws(CommandFailure) {
        switch form {
        case .names: return
        case .objects, .rows: try writeFields(of: item.json, item.json.names)
        case .people:
            try line(DisplayText.neutralized(sentence))
            try writeLines(of: item)
        }
        try flush()
    }

    private func writeLines(of item: some Presentable) throws(CommandFailure) {
        for text in item.fields.lines(style) {
            try line(text)
        }
    }

    private static func name(of item: some Presentable) -> String {
        func name<Item: Named>(_ item: Item) -> String { Item.record.name(of: item.json) }
        return (item as? any Named).map { name($0) } ?? ""
    }

    /// Shows all entries of a kind: a table for people, an object or a row each for programs.
    ///
    /// - Parameter columns: The chosen columns; `nil` for the default ones of the form.
    func show<Row: Tabular>(_ items: [Row], _ columns: [String]?, emptyText: String) throws(CommandFailure) {
        let listing = try Listing<Row>(self, columns, emptyText: emptyText)
        try listing.show(items)
        try listing.finish()
    }

    /// Says what was done: a sentence for people, an object or a row for programs. With `--quiet`, prints only `name`.
    ///
    /// - Parameter name: The name of a new entry that the caller did not choose; `nil` if no entry was created.
    func say(_ sentence: String, json: JSONObject, name: String? = nil) throws(CommandFailure) {
        switch form {
        case .names:
            guard let name else { return }
            try line(DisplayText.neutralized(name))
        case .objects, .rows: try writeFields(of: json, json.names)
        case .people: try line(DisplayText.neutralized(sentence))
        }
        try flush()
    }

    /// Says what was done, for commands that write other data to standard output. People get the sentence on standard
    /// error.
    func sayBeside(_ sentence: String, json: JSONObject) throws(CommandFailure) {
        guard case .people = form else { return try say(sentence, json: json) }
        try flush()
        Diagnostics.write(sentence)
    }

    /// Prints one event of a stream without delay: a sentence for people, an object or a row for programs.
    func printEvent(_ sentence: String, _ json: JSONObject, _ record: RecordForm) throws(CommandFailure) {
        switch form {
        case .names, .objects, .rows: try self.record(json, record, record.fields)
        case .people: try line(DisplayText.neutralized(sentence))
        }
        try flush()
    }

    func printEvent<Item>(
        _ sentence: String, _ item: Item, _ description: JSONFields<Item>
    ) throws(CommandFailure) {
        try printEvent(sentence, description.json(item), description.record)
    }

    /// Prints a row for programs. With `--quiet`, prints only the row's name.
    func record(_ object: JSONObject, _ record: RecordForm, _ fields: [String]) throws(CommandFailure) {
        if case .names = form {
            // A row without a name, such as the change that removes a whole scene, is not printed.
            let name = record.name(of: object)
            guard !name.isEmpty else { return }
            try line(name)
        } else {
            try writeFields(of: object, fields)
        }
    }

    /// Says that a list is empty. Rows for programs have their heading nevertheless.
    func sayEmpty(_ sentence: String, _ fields: [String]) throws(CommandFailure) {
        switch form {
        case .names, .objects: return
        case .rows(let separator): try writeHeading(fields, separator)
        case .people: try line(sentence)
        }
        try flush()
    }

    private func writeFields(of object: JSONObject, _ fields: [String]) throws(CommandFailure) {
        guard case .rows(let separator) = form else { return try line(object.picking(fields).closed) }
        try writeHeading(fields, separator)
        try line(separator.line(fields.map { shown(object.plainText(of: $0)) }))
    }

    private func writeHeading(_ fields: [String], _ separator: SeparatedValues) throws(CommandFailure) {
        guard heading != fields else { return }
        heading = fields
        try line(separator.line(fields))
    }

    /// Returns the text for the output: unchanged for programs, and made safe for a terminal.
    private func shown(_ text: String) -> String {
        style.terminal == nil ? text : DisplayText.neutralized(text)
    }

    /// Writes a line of text that is already in its final form.
    func line(_ text: String) throws(CommandFailure) {
        try writer.write(text + "\n")
    }

    func raw(_ bytes: [UInt8]) throws(CommandFailure) {
        try writer.write(bytes)
    }

    func flush() throws(CommandFailure) {
        try writer.flush()
    }

    /// Shows a whole text. On a terminal, shows it in the person's pager. If the pager fails, prints the text without
    /// it and warns, because the text may be the help that explains pagers.
    func page(_ text: String) throws(CommandFailure) {
        var failure: CommandFailure?
        if let pagerCommand {
            do throws(CommandFailure) {
                return try Pager.show(text + "\n", in: pagerCommand)
            } catch {
                failure = error
            }
        }
        try line(text)
        try flush()
        if let failure { Diagnostics.warn(failure.message) }
    }

    /// On a terminal, starts the person's pager for the following output.
    func beginPaging() throws(CommandFailure) {
        guard pager == nil, let pagerCommand else { return }
        try standard.flush()
        pager = try Pager(pagerCommand)
    }

    /// Waits until the person leaves the pager.
    func endPaging() throws(CommandFailure) {
        guard let pager else { return }
        self.pager = nil
        try pager.finish()
    }
}

/// A type that `--json` can print.
protocol JSONRepresentable {
    var json: JSONObject { get }
}

/// A type that can be shown alone, one field per line.
protocol Presentable: JSONRepresentable {
    var fields: FieldList { get }
}

/// An entry with a name that other commands accept.
protocol Named: JSONRepresentable {
    static var record: RecordForm { get }
}

/// A type that can be a row of a table.
protocol Tabular: Named, ColumnSource {
    static var table: [TableColumn<Self>] { get }
}
