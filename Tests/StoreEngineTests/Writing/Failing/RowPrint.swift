import SQLCipher

@testable import StoreEngine

/// The rows of all tables and the definitions of the tables, as one text for each table. SQLite itself makes the texts,
/// so a print takes little enough time to be made after every failed write.
final class RowPrint {
    private let connection: Connection
    private let isComparable: Bool
    private let definitions: Statement
    private var known = ""
    private var statements: [(table: String, statement: Statement)] = []

    /// Prepares the statements.
    ///
    /// - Parameter isComparable: if true, leaves out data that differs between two stores with the same content: random
    ///   ids and keys, and the number of transactions that some work took.
    init(_ connection: Connection, isComparable: Bool) throws(StoreError) {
        self.connection = connection
        self.isComparable = isComparable
        definitions = try mapped(
            connection.prepare(
                "SELECT group_concat(line, x'0A') FROM (SELECT name || ': ' || coalesce(sql, '') AS line "
                    + "FROM sqlite_master ORDER BY line)"))
    }

    func take() throws(StoreError) -> [String: String] {
        let present = try text(definitions)
        if present != known {
            statements = try prepared()
            known = present
        }
        var rows: [String: String] = ["sqlite_master": present]
        for (table, statement) in statements {
            rows[table] = try text(statement)
        }
        return rows
    }

    /// Returns the differences between two prints: for each table the first row that differs.
    static func differences(_ before: [String: String], _ after: [String: String]) -> [String] {
        Set(before.keys).union(after.keys).sorted().compactMap { table in
            let (one, other) = (before[table], after[table])
            guard one != other else { return nil }
            let rows = [one, other].map { ($0 ?? "").split(separator: "\n", omittingEmptySubsequences: false) }
            let first = zip(rows[0], rows[1]).first { $0 != $1 }
            let (left, right) = first.map { ("\($0.0)", "\($0.1)") } ?? ("\(rows[0].count) rows", "\(rows[1].count)")
            return "\(table): \(left.prefix(200)) and \(right.prefix(200))"
        }
    }

    private func prepared() throws(StoreError) -> [(table: String, statement: Statement)] {
        var names: [String] = []
        let tables = try mapped(connection.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"))
        while try mapped(tables.step()) {
            names.append(try mapped(tables.text(0)))
        }
        tables.finalize()
        var statements: [(table: String, statement: Statement)] = []
        for name in names where name != "journal" && !(isComparable && Self.isOfTransactions(name)) {
            let line = try columns(of: name).map { "quote(\($0))" }.joined(separator: " || ',' || ")
            let sql = "SELECT group_concat(line, x'0A') FROM (SELECT \(line) AS line FROM \(name) ORDER BY line)"
            statements.append((name, try mapped(connection.prepare(sql))))
        }
        return statements
    }

    private func columns(of table: String) throws(StoreError) -> [String] {
        let rows = try mapped(connection.prepare("PRAGMA table_info(\(table))"))
        defer { rows.finalize() }
        var names: [String] = []
        while try mapped(rows.step()) {
            let name = try mapped(rows.text(1))
            if !isComparable || !Self.random.contains("\(table).\(name)") {
                names.append(name)
            }
        }
        return names
    }

    private static let random: Set = [
        "file_contents.id", "file_contents.key", "file_contents.generation", "content_chunks.generation",
    ]

    /// Returns true if the rows of a table depend on how work was divided into transactions. The change log has a row
    /// for each transaction, and a segment of the search index contains what one transaction added.
    private static func isOfTransactions(_ table: String) -> Bool {
        table == "changes" || table.hasPrefix("search_") || table.hasPrefix("cleared_")
    }

    private func text(_ statement: Statement) throws(StoreError) -> String {
        defer { statement.reset() }
        return try mapped(statement.step()) ? try mapped(statement.text(0)) : ""
    }
}
