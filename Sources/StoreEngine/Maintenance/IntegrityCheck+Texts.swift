import SQLCipher
import StoreBasics

/// Checks that texts can be read, and that each long text has its message.
extension IntegrityCheck {
    /// Checks that every text is UTF-8, because other texts are never sent.
    mutating func checkTexts() throws(StoreError) {
        let version = try integer("PRAGMA user_version")
        for texts in Self.textColumns where texts.firstVersion <= version {
            let rows = try connection.rows(texts.query)
            var wrong = 0
            while try rows.next() {
                let isReadable = (0..<texts.count).allSatisfy { column in
                    rows.isNull(column) || (try? rows.borrowedText(column)) != nil
                }
                wrong += isReadable ? 0 : 1
            }
            if wrong > 0 {
                report.add("\(wrong) rows of table \(texts.table) have text that is not UTF-8")
            }
        }
        try checkLongTexts()
    }

    /// Checks that every message with a long text has a row in `message_texts`, and that no other message has one.
    private mutating func checkLongTexts() throws(StoreError) {
        guard try hasLongTexts else { return }
        report.rowsChecked += try integer("SELECT count(*) FROM message_texts")
        try addFinding(
            "messages have no text",
            """
            SELECT count(*) FROM messages AS m
            WHERE m.text IS x'' AND NOT EXISTS (SELECT 1 FROM message_texts WHERE sequence = m.sequence)
            """)
        try addFinding(
            "texts belong to no message, or to a message whose text is stored with the message",
            """
            SELECT count(*) FROM message_texts
            WHERE sequence NOT IN (SELECT sequence FROM messages WHERE text IS x'')
            """)
    }

    /// True if the database has the table; a backup of an earlier version lacks it.
    var hasLongTexts: Bool {
        get throws(StoreError) { try integer("PRAGMA user_version") >= LongTexts.firstSchemaVersion }
    }

    /// The columns of a table that contain text.
    private struct TextColumns {
        let table: String
        let firstVersion: Int
        let count: Int
        let query: StatementText

        init(_ table: String, _ columns: String..., from version: Int? = nil) {
            self.table = table
            firstVersion = version ?? (table.hasPrefix("replica_") ? 2 : 1)
            count = columns.count
            query = StatementText("SELECT \(columns.joined(separator: ", ")) FROM \(table)")
        }
    }

    private static let textColumns = [
        TextColumns("conversations", "id", "session_id", "display_name"),
        TextColumns("conversation_drafts", "text", "attachment_url", "attachment_type", "reply_to"),
        TextColumns("contacts", "id", "session_id", "display_name", "sort_key", "notes"),
        TextColumns(
            "messages", "id", "text", "sender", "recipient", "attachment_url", "attachment_type", "reply_to"),
        TextColumns("reactions", "author", "emoji"), TextColumns("scene_values", "scene", "key"),
        TextColumns("logs", "name"), TextColumns("files", "name"), TextColumns("search_state", "walked_id", from: 3),
        TextColumns("attachments", "name", "mime_type", "source"), TextColumns("clock", "boot"),
        TextColumns("search_pending", "id", "text"), TextColumns("replica_group", "device_name"),
        TextColumns("replica_members", "name", "fault"), TextColumns("replica_outgoing", "channel"),
        TextColumns("replica_parts", "channel"), TextColumns("replica_names", "id", "session_id"),
        TextColumns("replica_messages", "id"), TextColumns("replica_untold_removals", "message_id"),
        TextColumns("replica_logs", "name"), TextColumns("conversations", "last_message_id", from: 3),
        TextColumns("message_expiries", "message", from: 3), TextColumns("attachments", "message", from: 3),
        TextColumns("message_texts", "text", from: LongTexts.firstSchemaVersion),
    ]
}
