import Glibc
import StoreBasics
import StoreClient

/// Standard output in the form that was asked for: for people, or JSON Lines for programs. Used from one task.
final class Output {
    let isJSON: Bool
    let style: DisplayStyle
    private let writer: DescriptorWriter

    /// - Parameter descriptor: standard error where standard output carries something else.
    init(isJSON: Bool, style: DisplayStyle, descriptor: Int32 = STDOUT_FILENO) {
        self.isJSON = isJSON
        self.style = style
        writer = DescriptorWriter(descriptor: descriptor)
    }

    /// One thing: its fields for people, an object for programs.
    func show(_ item: some Presentable) throws(CommandFailure) {
        if isJSON {
            try line(item.json.closed)
        } else {
            for text in item.fields.lines(style) {
                try line(text)
            }
        }
        try flush()
    }

    /// All of a kind: a table for people, an object a line for programs.
    func show<Row: Tabular>(_ items: [Row], emptyText: String) throws(CommandFailure) {
        let listing = Listing<Row>(self, emptyText: emptyText)
        try listing.show(items)
        try listing.finish()
    }

    /// A sentence for people, an object for programs.
    func say(_ sentence: String, json: JSONObject) throws(CommandFailure) {
        try line(isJSON ? json.closed : DisplayText.neutralized(sentence))
        try flush()
    }

    /// A line of text that is already in its final form.
    func line(_ text: String) throws(CommandFailure) {
        try writer.write(text + "\n")
    }

    func raw(_ bytes: [UInt8]) throws(CommandFailure) {
        try writer.write(bytes)
    }

    func flush() throws(CommandFailure) {
        try writer.flush()
    }
}

/// What `--json` can print.
protocol JSONRepresentable {
    var json: JSONObject { get }
}

/// What can be shown alone, a field a line.
protocol Presentable: JSONRepresentable {
    var fields: FieldList { get }
}

/// What can be a row of a table.
protocol Tabular: JSONRepresentable {
    static var columns: [Table.Column] { get }
    var cells: [Table.Cell] { get }
}
