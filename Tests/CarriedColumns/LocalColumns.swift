/// A column whose values do not get into another store.
package struct LocalColumn: Hashable, Sendable {
    package let table: String
    package let column: String
    /// The paths that do not carry the column.
    package let paths: Set<CarryingPath>
    package let reason: String

    package init(_ table: String, _ column: String, on paths: Set<CarryingPath>, _ reason: String) {
        self.table = table
        self.column = column
        self.paths = paths
        self.reason = reason
    }

    package var name: String { "\(table).\(column)" }
}

/// The columns that are local to a store. Every other column has to survive every path that carries its table.
package enum LocalColumns {
    package static let all: [LocalColumn] = [
        // Numbers that one store assigns.
        everywhere("contacts", "number", "counts the contacts of one store"),
        everywhere("conversations", "number", "is the revision that made the conversation, in one store"),
        everywhere("messages", "sequence", "is the revision that saved the message first, in one store"),
        everywhere("conversation_drafts", "revision", "is the revision that saved the draft, in one store"),
        everywhere("reactions", "revision", "is the revision that added the reaction, in one store"),
        everywhere("conversation_members", "number", "counts the members of one store"),
        everywhere("scene_values", "number", "counts the values of one store"),
        everywhere("scene_values", "revision", "is the revision that set the value, in one store"),
        everywhere("logs", "number", "is the revision that made the log, in one store"),
        everywhere("log_entries", "revision", "is the revision of one store at the append"),
        everywhere("replica_logs", "number", "counts the logs of the devices, in one store"),
        everywhere("replica_logs", "own_log", "is the number of the store's own log with the same entries"),

        // Times at which a store checks messages.
        everywhere(
            "conversations", "retention_due_at",
            "is when this store looks next for messages to delete, which follows from keep_for and the messages"),

        // The state of logs.
        everywhere("logs", "first_sequence", "hides rows that are still to be deleted; a restore skips them by it"),
        everywhere("logs", "told_through", "says how far this store has published its own entries"),
        LocalColumn("log_entries", "offset", on: [.replication], layout),
        LocalColumn("log_entries", "position", on: [.replication], layout),
        LocalColumn(
            "log_entries", "appended_at", on: [.archive, .archiveLines],
            "archives have no times of entries: the time of the restore takes its place"),

        // Columns that an import of `messages export` ignores, and columns that the export does not contain.
        LocalColumn("contacts", "created_at", on: [.messageLines], storeTime),
        LocalColumn("contacts", "updated_at", on: [.messageLines], storeTime),
        LocalColumn("conversations", "created_at", on: [.messageLines], storeTime),
        LocalColumn("conversations", "updated_at", on: [.messageLines], storeTime),
        LocalColumn(
            "conversations", "last_activity_at", on: [.messageLines],
            "is created_at where the conversation has no messages, and an import sets created_at"),
        LocalColumn("messages", "created_at", on: [.messageLines], storeTime),
        LocalColumn("messages", "expires_at", on: [.messageLines], "an import starts timers anew"),
        LocalColumn("messages", "reactions", on: [.messageLines], archivesOnly),
        LocalColumn("messages", "attachments", on: [.messageLines], archivesOnly),
        LocalColumn("messages", "unknown_fields", on: [.archiveLines, .messageLines], namedFields),
        LocalColumn("attachments", "unknown_fields", on: [.archiveLines], namedFields),
    ]

    private static let layout = "is the layout of the device's own log, which the log's bounds on that device give"
    private static let storeTime = "an import sets the times at which the store made and changed it"
    private static let namedFields = "JSON has no fields whose names are not known; archives and batches have them"
    private static let archivesOnly = "lines of messages have none: 'archive create --json-lines' has them"

    private static func everywhere(_ table: String, _ column: String, _ reason: String) -> LocalColumn {
        LocalColumn(table, column, on: Set(CarryingPath.allCases), reason)
    }

    static func contains(_ table: String, _ column: String, on path: CarryingPath) -> Bool {
        all.contains { $0.table == table && $0.column == column && $0.paths.contains(path) }
    }
}
