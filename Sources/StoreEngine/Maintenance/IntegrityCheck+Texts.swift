import SQLCipher
import StoreBasics

/// Checks that texts can be read, and that each long text and long metadata have their message.
extension IntegrityCheck {
    /// Checks that every text is UTF-8, because a text that is not UTF-8 cannot be sent to clients.
    mutating func checkTexts() throws(StoreError) {
        for (table, columns) in try textColumns {
            let rows = try connection.rows(StatementText("SELECT \(columns.joined(separator: ", ")) FROM \(table)"))
            var wrong = 0
            while try rows.next() {
                let isReadable = columns.indices.allSatisfy { column in
                    rows.isNull(column) || (try? rows.borrowedText(column)) != nil
                }
                wrong += isReadable ? 0 : 1
            }
            if wrong > 0 {
                report.add("rows of table \(table) have text that is not UTF-8 \(Self.found(wrong))")
            }
        }
        try checkLongTexts()
    }

    /// Checks that every message with a long text or long metadata has a row in `message_texts`, and that no other
    /// message has one.
    private mutating func checkLongTexts() throws(StoreError) {
        guard try hasLongTexts else { return }
        let hasMetadata = try hasMetadata
        report.rowsChecked += try integer("SELECT count(*) FROM message_texts")
        try addFinding(
            "messages have a long text that is missing in table message_texts",
            """
            SELECT count(*) FROM messages AS m
            WHERE m.text IS x'' AND NOT EXISTS (SELECT 1 FROM message_texts WHERE sequence = m.sequence)
            """)
        try addFinding(
            "rows of table message_texts belong to no message, or to a message with its text in table messages",
            """
            SELECT count(*) FROM message_texts
            WHERE sequence NOT IN
                (SELECT sequence FROM messages WHERE text IS x'' \(hasMetadata ? "OR metadata IS x''" : ""))
            """)
        guard hasMetadata else { return }
        try addFinding(
            "messages have long metadata that are missing in table message_texts",
            """
            SELECT count(*) FROM messages AS m WHERE m.metadata IS x''
            AND NOT EXISTS (SELECT 1 FROM message_texts WHERE sequence = m.sequence AND metadata IS NOT NULL)
            """)
    }

    /// True if the database has the table `message_texts`; a backup of an earlier version lacks it.
    var hasLongTexts: Bool {
        get throws(StoreError) { try integer("PRAGMA user_version") >= LongTexts.firstSchemaVersion }
    }

    /// True if the database has the columns and tables of metadata.
    var hasMetadata: Bool {
        get throws(StoreError) { try integer("PRAGMA user_version") >= MetadataMigration.firstSchemaVersion }
    }

    /// The columns that the schema of the checked database declares as text, for each table that has such a column.
    private var textColumns: [(table: String, columns: [String])] {
        get throws(StoreError) {
            var all: [(table: String, columns: [String])] = []
            let tables = try connection.rows(Self.selectTables)
            while try tables.next() {
                let table = try tables.text(0)
                // Skip the rows of a cleared table, which only wait for their removal.
                guard ClearedTables.replaced(by: table) == nil else { continue }
                let columns = try connection.rows(StatementText("PRAGMA table_info(\(table))"))
                var names: [String] = []
                while try columns.next() {
                    if try columns.text(2) == "TEXT" {
                        names.append(try columns.text(1))
                    }
                }
                if !names.isEmpty {
                    all.append((table, names))
                }
            }
            return all
        }
    }

    private static let selectTables = StatementText("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
}
