import SQLCipher

@testable import StoreEngine

/// The definitions of all tables and their rows, except the table with the position of the journal.
struct DatabaseDump: Equatable {
    private var tables: [String: [String]] = [:]

    init(_ connection: Connection) throws(StoreError) {
        let definitions = try Self.texts(
            "SELECT type || ' ' || name || ': ' || coalesce(sql, '') FROM sqlite_master ORDER BY type, name", connection
        )
        tables["sqlite_master"] = definitions
        let names = try Self.texts(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'journal' ORDER BY name", connection)
        for name in names {
            let columns = try Self.texts("PRAGMA table_info(\(name))", connection, column: 1)
            let row = columns.map { "quote(\($0))" }.joined(separator: " || ', ' || ")
            tables[name] = try Self.texts("SELECT \(row) FROM \(name) ORDER BY 1", connection)
        }
    }

    private static func texts(
        _ sql: String, _ connection: Connection, column: Int = 0
    ) throws(StoreError) -> [String] {
        do throws(SQLCipherError) {
            let statement = try connection.prepare(sql)
            defer { statement.finalize() }
            var texts: [String] = []
            while try statement.step() {
                texts.append(try statement.text(column))
            }
            return texts
        } catch {
            throw StoreError(error)
        }
    }

    var rowCount: Int { tables.values.reduce(0) { $0 + $1.count } }

    /// Returns the names of the tables with different rows, each with the first difference.
    func differences(from other: DatabaseDump) -> [String] {
        Set(tables.keys).union(other.tables.keys).sorted().compactMap { name in
            let (mine, theirs) = (tables[name] ?? [], other.tables[name] ?? [])
            guard mine != theirs else { return nil }
            let first = zip(mine, theirs).first { $0 != $1 }
            return "\(name): \(mine.count) and \(theirs.count) rows, \(first.map { "\($0.0) and \($0.1)" } ?? "")"
        }
    }
}
