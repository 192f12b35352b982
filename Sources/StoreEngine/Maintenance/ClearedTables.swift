import SQLCipher

/// Tables that a clear has put out of reach: they have other names since, and empty ones stand in their places, so that
/// a clear takes as long for many rows as for few. Their rows are removed a step at a time, then they go themselves.
enum ClearedTables {
    private static let prefix = "cleared_"
    /// The columns that name a row, where that is not `rowid`.
    private static let keys = [
        "idempotency_keys": "user, key", "reactions": "message_sequence, revision",
        "message_expiries": "expires_at, sequence",
        "search_keys": "segment, key",
        "attachments": "list, position",
        "replica_things": "kind, name", "replica_names": "kind, id", "replica_messages": "id",
        "replica_untold_removals": "message_id", "replica_epochs": "number, maker",
        "replica_grants": "number, maker, device", "replica_invitations": "id", "replica_snapshots": "id",
        "replica_contents": "digest", "replica_missing_contents": "digest",
        "replica_untold_paths": "name", "replica_wanted_files": "name",
        "replica_log_entries": "log, sequence",
        "content_chunks": "content, first_chunk", "content_freed_slots": "content, first_slot",
    ]

    /// Puts empty tables in the place of these, with the same columns and indexes.
    static func replace(_ tables: [String], _ connection: Connection) throws(StoreError) {
        // Counts what is done to the schema: no name is used twice.
        let number = try mapped(connection.integer("PRAGMA schema_version")) ?? 0
        // All before the first gets another name: that changes what refers to it.
        var definitions: [String] = []
        for table in tables {
            definitions += try definition(of: table, number, connection)
        }
        for table in tables {
            try mapped(connection.execute(renaming(table, "\(number)")))
        }
        for definition in definitions {
            try mapped(connection.execute(definition))
        }
    }

    /// The statement that gives a table its other name.
    static func renaming(_ table: String, _ name: String) -> String {
        "ALTER TABLE \(table) RENAME TO \(prefix)\(name)_\(table);"
    }

    /// What makes such a table and its indexes, which have names of their own.
    private static func definition(
        of table: String, _ number: Int64, _ connection: Connection
    ) throws(StoreError) -> [String] {
        var definition: [String] = []
        let rows = try connection.rows(selectDefinition, table)
        while try rows.next() {
            var sql = try rows.text(1)
            if try rows.text(0) == "index" {
                guard let name = sql.firstRange(of: "INDEX "), let on = sql.firstRange(of: " ON ") else {
                    throw .databaseDamaged("the definition of an index makes no sense")
                }
                sql.replaceSubrange(name.upperBound..<on.lowerBound, with: "\(table)_\(number)_\(definition.count)")
            }
            definition.append(sql)
        }
        return definition
    }

    /// Removes some rows of the first such table, and the table when it has none.
    ///
    /// - Returns: false where there is no such table.
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

    /// Deletes rows until the time is over: one alone may take much of it.
    private static func hasRows(
        _ table: String, after slice: WorkSlice, _ connection: Connection
    ) throws(StoreError) -> Bool {
        let kind = table.dropFirst(prefix.count).drop { $0 != "_" }.dropFirst()
        let key = keys[String(kind)] ?? "rowid"
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

    private static let selectDefinition = StatementText(
        "SELECT type, sql FROM sqlite_master WHERE tbl_name = ?1 AND sql IS NOT NULL ORDER BY type DESC")
    /// Avatars and drafts come before what they are of, by their names.
    private static let selectFirst = StatementText(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB '\(prefix)*' ORDER BY name LIMIT 1")
}
