import SQLCipher
package import StoreCrypto

/// The carried rows of a store, with the values of all columns by the columns' names in the schema.
package struct StoreColumns {
    struct Column: Hashable {
        let name: String
        /// The default as SQL; `nil` if the schema has none.
        let defaultValue: String?
    }

    struct Row {
        /// The values by column, as SQL literals. A column that the destination does not keep is absent.
        var values: [String: String]
        let isCarried: Bool
    }

    let path: CarryingPath
    private(set) var columns: [String: [Column]] = [:]
    /// The rows by table, then by the name that the row has in every store.
    private(set) var rows: [String: [String: Row]] = [:]

    /// Reads a store. No engine may have it open.
    package init(
        stateDirectory: String, secret: consuming SlotSecret, on path: CarryingPath, at end: CarryingEnd
    ) throws {
        let connection = try Self.open(stateDirectory, secret)
        defer { connection.close() }
        self.path = path
        for table in CarriedTable.all(on: path, at: end) {
            columns[table.name] = try Self.columns(of: table.name, connection)
            rows[table.name] = try read(table, connection)
        }
    }

    /// Opens the database of a store with a separate connection.
    private static func open(_ stateDirectory: String, _ secret: consuming SlotSecret) throws -> Connection {
        let keyring = try Keyring.parse(ColumnFile.read(stateDirectory + "/keyring"))
        let key = try keyring.unlock(with: secret).databaseKey(.current)
        let versions = try LibraryVersions.loaded()
        return try key.withUnsafeBytes { (key) throws(SQLCipherError) in
            try Connection(
                path: stateDirectory + "/store.db", key: key, mode: .readOnly, profile: .ghoststore,
                versions: versions)
        }
    }

    private static func columns(of table: String, _ connection: Connection) throws -> [Column] {
        let statement = try connection.prepare("PRAGMA table_info(\(table))")
        defer { statement.finalize() }
        var columns: [Column] = []
        while try statement.step() {
            let defaultValue = statement.isNull(4) ? nil : try statement.text(4)
            columns.append(Column(name: try statement.text(1), defaultValue: defaultValue))
        }
        return columns
    }

    private func read(_ table: CarriedTable, _ connection: Connection) throws -> [String: Row] {
        let kept = (columns[table.name] ?? []).compactMap { column in
            table.value(of: column.name).map { (name: column.name, sql: "quote(\($0))") }
        }
        let selected = ([table.rowName, table.filter] + kept.map(\.sql)).joined(separator: ", ")
        let statement = try connection.prepare("SELECT \(selected) FROM \(table.source) AS t")
        defer { statement.finalize() }
        var rows: [String: Row] = [:]
        while try statement.step() {
            var row = Row(values: [:], isCarried: statement.integer(1) != 0)
            for (index, column) in kept.enumerated() {
                row.values[column.name] = try statement.text(index + 2)
            }
            rows[try statement.text(0)] = row
        }
        return rows
    }

    /// Returns the names of listed columns that the schema does not have.
    package func missing(of listed: [LocalColumn]) -> [String] {
        listed.filter { local in !(columns[local.table] ?? []).contains { $0.name == local.column } }.map(\.name)
    }
}
