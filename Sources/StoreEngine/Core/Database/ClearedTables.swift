import SQLCipher

/// Tables that were cleared by renaming. Empty tables take their names, so that clearing many rows is as quick as
/// clearing few. The rows of the renamed tables are deleted in steps, then the tables are dropped.
enum ClearedTables {
    private static let prefix = "cleared_"
    /// The key columns of tables that have no `rowid`.
    private static let keys = [
        "idempotency_keys": "user, key", "reactions": "message_sequence, revision",
        "message_expiries": "expires_at, message",
        "search_keys": "segment, key",
        "attachments": "list, position",
        "replica_things": "kind, name", "replica_names": "kind, id", "replica_messages": "id",
        "replica_delayed_messages": "id", "replica_untold_removals": "message_id", "replica_epochs": "number, maker",
        "replica_grants": "number, maker, device", "replica_invitations": "id", "replica_snapshots": "id",
        "replica_contents": "digest", "replica_missing_contents": "digest",
        "replica_untold_paths": "name", "replica_wanted_files": "name",
        "replica_log_entries": "log, sequence",
        "content_chunks": "content, first_chunk", "content_freed_slots": "content, first_slot",
    ]

    /// Replaces tables by empty ones with the same columns and indexes.
    ///
    /// The number in the new names is the store's own count of replacements. `PRAGMA schema_version` cannot provide the
    /// number, because its value restarts in the copy that a rotation, a backup or a restore makes.
    static func replace(_ tables: [String], _ connection: Connection) throws(StoreError) {
        try connection.run(countReplacement)
        guard let number = try connection.first(selectReplacement)?.integer(0) else {
            throw .databaseDamaged("the row of the table 'store' is missing")
        }
        // Read all definitions before the first table is renamed, because renaming changes the definitions that refer
        // to it.
        var definitions: [String] = []
        for table in tables {
            definitions += try definition(of: table, number, connection)
        }
        for table in tables {
            try mapped(connection.execute("ALTER TABLE \(table) RENAME TO \(prefix)\(number)_\(table)"))
        }
        for definition in definitions {
            try mapped(connection.execute(definition))
        }
    }

    /// Returns the statements that create an empty table with the definition of `table`, and the indexes of the empty
    /// table. The indexes get new names.
    private static func definition(
        of table: String, _ number: Int64, _ connection: Connection
    ) throws(StoreError) -> [String] {
        var definition: [String] = []
        let rows = try connection.rows(selectDefinition, table)
        while try rows.next() {
            var sql = try rows.text(1)
            if try rows.text(0) == "index" {
                guard let name = sql.firstRange(of: "INDEX "), let on = sql.firstRange(of: " ON ") else {
                    throw .databaseDamaged("the definition of an index is invalid")
                }
                sql.replaceSubrange(name.upperBound..<on.lowerBound, with: "\(table)_\(number)_\(definition.count)")
            }
            definition.append(sql)
        }
        return definition
    }

    /// Returns the original name of a renamed table, and the number in the new name if it has one; `nil` if `name` is
    /// not the name of a renamed table.
    static func replaced(by name: String) -> (table: String, number: Int64?)? {
        guard name.hasPrefix(prefix) else { return nil }
        return (
            String(name.dropFirst(prefix.count).drop { $0 != "_" }.dropFirst()), number(in: name, after: prefix)
        )
    }

    /// Returns the number that a replacement gave to an index of a table; `nil` for an index that was never replaced.
    static func number(inIndex name: String, of table: String) -> Int64? {
        name.hasPrefix(table + "_") ? number(in: name, after: table + "_") : nil
    }

    private static func number(in name: String, after start: String) -> Int64? {
        Int64(name.dropFirst(start.count).prefix { $0 != "_" })
    }

    /// Deletes some rows of the first renamed table, or drops the table if it is empty.
    ///
    /// - Returns: false if there is no such table.
    static func removeSome(_ slice: WorkSlice, _ connection: Connection) throws(StoreError) -> Bool {
        guard let table = try first(connection) else { return false }
        if try hasRows(table, after: slice, connection) {
            return true
        }
        try mapped(connection.execute("DROP TABLE \(table)"))
        return true
    }

    private static func first(_ connection: Connection) throws(StoreError) -> String? {
        try connection.first(selectFirst)?.text(0)
    }

    /// Deletes rows one by one until the slice is over, because a single row may take much of the slice's time. Returns
    /// false if no row is left.
    private static func hasRows(
        _ table: String, after slice: WorkSlice, _ connection: Connection
    ) throws(StoreError) -> Bool {
        let key = replaced(by: table).flatMap { keys[$0.table] } ?? "rowid"
        let delete = try mapped(
            connection.prepare(
                "DELETE FROM \(table) WHERE (\(key)) IN (SELECT \(key) FROM \(table) ORDER BY \(key) LIMIT 1)"))
        defer { delete.finalize() }
        repeat {
            let changesBefore = connection.totalChanges
            try mapped(delete.run())
            guard connection.totalChanges != changesBefore else { return false }
        } while !slice.isOver
        return true
    }

    private static let countReplacement = StatementText(
        "UPDATE OR FAIL store SET last_replacement = last_replacement + 1")
    private static let selectReplacement = StatementText("SELECT last_replacement FROM store")
    private static let selectDefinition = StatementText(
        "SELECT type, sql FROM sqlite_master WHERE tbl_name = ?1 AND sql IS NOT NULL ORDER BY type DESC")
    /// The tables are in the order of their names. Therefore tables with avatars and drafts come before the tables to
    /// which their rows refer.
    private static let selectFirst = StatementText(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB '\(prefix)*' ORDER BY name LIMIT 1")
}
