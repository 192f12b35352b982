import Glibc
import StoreBasics

/// Standard output in the form that was asked for: for people, or JSON Lines for programs. Used from one task.
final class Output {
    let isJSON: Bool
    private let terminal = Terminal(descriptor: STDOUT_FILENO)
    private let writer = DescriptorWriter(descriptor: STDOUT_FILENO)

    init(isJSON: Bool) {
        self.isJSON = isJSON
    }

    /// One thing: its fields for people, an object for programs.
    func show(_ item: some Presentable) throws(CommandFailure) {
        if isJSON {
            try write(item.json)
        } else {
            try write(item.fields.lines(terminal: terminal))
        }
        try writer.flush()
    }

    /// Many of a kind: a table for people, an object a line for programs.
    func show<Row: Tabular>(_ items: [Row], emptyText: String) throws(CommandFailure) {
        if isJSON {
            for item in items {
                try write(item.json)
            }
        } else if items.isEmpty {
            try write([emptyText])
        } else {
            var table = Table(Row.columns)
            for item in items {
                table.add(item.cells)
            }
            try write(table.lines(terminal: terminal))
        }
        try writer.flush()
    }

    /// A sentence for people, an object for programs.
    func say(_ sentence: String, json: JSONObject) throws(CommandFailure) {
        if isJSON {
            try write(json)
        } else {
            try write([DisplayText.neutralized(sentence)])
        }
        try writer.flush()
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

    private func write(_ object: JSONObject) throws(CommandFailure) {
        try writer.write(object.closed + "\n")
    }

    private func write(_ lines: [String]) throws(CommandFailure) {
        for line in lines {
            try writer.write(line + "\n")
        }
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

/// Lines on standard error: warnings and the reason of a failure. Never on standard output, which scripts read.
enum Diagnostics {
    static func write(_ text: String) {
        line("ghoststorectl: " + DisplayText.neutralizedLines(text).joined(separator: "\n  "))
    }

    /// What a program may want to know beside the output: a line that starts with a brace.
    static func write(_ object: JSONObject) {
        line(object.closed)
    }

    static func warn(_ text: String) {
        write("warning: " + text)
    }

    private static func line(_ text: String) {
        try? FileDescriptorCalls.write(STDERR_FILENO, Array((text + "\n").utf8))
    }
}
