import SQLCipher
import StoreBasics

/// Compares the tables and indexes of a database with the ones that its schema version has. Tables that were replaced
/// when the store was cleared may also exist until their rows are removed. Findings are tables and indexes that no part
/// of the store would ever remove, and replaced tables with a number that a later replacement would use again.
extension IntegrityCheck {
    mutating func checkSchema() throws(StoreError) {
        let version = try integer("PRAGMA user_version")
        let expected = SchemaNames.ofVersions[min(max(0, version), Schema.version)]
        let last = version < Self.firstVersionWithReplacements ? Int64.max : try lastReplacement()
        var indexCounts: [String: Int] = [:]
        var unknown: [String] = []
        var hasNumberAhead = false
        let rows = try connection.rows(Self.master)
        while try rows.next() {
            report.rowsChecked += 1
            let (type, name, table) = (try rows.text(0), try rows.text(1), try rows.text(2))
            let replaced = ClearedTables.replaced(by: table)
            let kind = replaced?.table ?? table
            let number = ClearedTables.number(inIndex: name, of: kind) ?? 0
            hasNumberAhead = hasNumberAhead || max(number, replaced?.number ?? 0) > last
            switch type {
            case "table" where expected.indexCounts[kind] != nil:
                if replaced == nil { indexCounts[table, default: 0] += 0 }
            case "index" where expected.indexCounts[kind] != nil:
                if replaced == nil { indexCounts[table, default: 0] += 1 }
            default: unknown.append("the \(type) \(name) belongs to no part of the store")
            }
        }
        unknown.forEach { report.add($0) }
        for (table, count) in expected.indexCounts.sorted(by: { $0.key < $1.key }) where indexCounts[table] != count {
            let found = indexCounts[table].map { "has \($0) indexes instead of \(count)" } ?? "is missing"
            report.add("the table \(table) \(found)")
        }
        if hasNumberAhead {
            report.add("a table that clear_all_data renamed has a higher number than the last clearing")
        }
    }

    private static let firstVersionWithReplacements = 3

    /// Returns the number of the last replaced table, or the greatest number if the row is missing, which another check
    /// reports.
    private func lastReplacement() throws(StoreError) -> Int64 {
        try connection.first(Self.replacement)?.integer(0) ?? .max
    }

    /// Selects all tables and indexes except SQLite's own.
    private static let master = StatementText(
        "SELECT type, name, tbl_name FROM sqlite_master WHERE name NOT GLOB 'sqlite_*' ORDER BY type, name")
    private static let replacement = StatementText("SELECT last_replacement FROM store")
}

/// The names of the tables that the statements of a schema create, each with the number of its indexes.
struct SchemaNames {
    private(set) var indexCounts: [String: Int] = [:]

    /// The tables of each schema version that this build can read, with the version as index.
    static let ofVersions = (0...Schema.version).map { SchemaNames(Schema.migrations.prefix($0)) }

    init(_ migrations: some Sequence<String>) {
        for statement in migrations.flatMap({ $0.split(separator: ";") }) {
            let lines = statement.split(separator: "\n").filter { !$0.drop(while: \.isWhitespace).hasPrefix("--") }
            applyStatement(lines.flatMap { $0.split { $0.isWhitespace || $0 == "(" } }.map(String.init))
        }
    }

    /// - Parameter words: The words of one statement, split at spaces and opening parentheses.
    private mutating func applyStatement(_ words: [String]) {
        guard words.count > 2 else { return }
        switch (words[0], words[1]) {
        case ("CREATE", "TABLE"): indexCounts[words[2], default: 0] += 0
        case ("DROP", "TABLE"): indexCounts[words[2]] = nil
        case ("ALTER", "TABLE") where words.dropFirst(3).starts(with: ["RENAME", "TO"]) && words.count > 5:
            // A table keeps its indexes when it is renamed.
            indexCounts[words[5]] = indexCounts.removeValue(forKey: words[2])
        case ("CREATE", _) where words.prefix(3).contains("INDEX"):
            guard let place = words.firstIndex(of: "ON"), place + 1 < words.count else { return }
            indexCounts[words[place + 1], default: 0] += 1
        default: break
        }
    }
}
