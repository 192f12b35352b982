extension StoreColumns {
    /// The largest difference between times of the same event in two stores. `StoreClock` accepts a clock within this
    /// distance.
    private static let clockMicrosecondsMax: Int64 = 60_000_000

    /// Returns all columns of a table except those that `LocalColumns` lists for the path.
    private func carriedColumns(_ table: String) -> [Column] {
        (columns[table] ?? []).filter { !LocalColumns.contains(table, $0.name, on: path) }
    }

    /// Returns the carried columns for which the sample proves nothing: all their rows have the column's default, or
    /// all have the same value. The comparison would not notice if such a column were not carried.
    package var unfilled: [String] {
        columns.keys.sorted().flatMap { table in
            carriedColumns(table).filter { column in
                let values = Set((rows[table] ?? [:]).values.compactMap { $0.values[column.name] })
                let defaults: Set = [column.defaultValue ?? "NULL", "NULL", "0", "''", "X''"]
                return values.count < 2 || values.subtracting(defaults).isEmpty
            }.map { "\(table).\($0.name)" }
        }
    }

    /// Returns a line for each value of the origin that this store does not have, and for each row that only one of the
    /// two stores has.
    package func differences(from origin: StoreColumns) -> [String] {
        origin.columns.keys.sorted().flatMap { table in
            let (given, found) = (origin.carriedRows(table), carriedRows(table))
            let missing = given.keys.filter { found[$0] == nil }.map { "\(table): '\($0)' is missing" }
            let added = found.keys.filter { given[$0] == nil }.map { "\(table): '\($0)' was added" }
            let changed = given.flatMap { name, row in
                origin.carriedColumns(table).compactMap { column in
                    found[name].flatMap { difference(of: column, in: table, $0, from: row) }
                }.map { "\($0) in '\(name)'" }
            }
            return (missing + added + changed).sorted()
        }
    }

    private func carriedRows(_ table: String) -> [String: Row] {
        (rows[table] ?? [:]).filter(\.value.isCarried)
    }

    private func difference(of column: Column, in table: String, _ found: Row, from given: Row) -> String? {
        let (value, other) = (given.values[column.name] ?? "absent", found.values[column.name] ?? "absent")
        guard value != other else { return nil }
        let isAge = table == "messages" && column.name == "expires_at"
        if isAge, let time = Int64(value), let otherTime = Int64(other),
            (time - otherTime).magnitude < UInt64(Self.clockMicrosecondsMax)
        {
            return nil
        }
        return "\(table).\(column.name): \(other.prefix(60)) instead of \(value.prefix(60))"
    }
}
