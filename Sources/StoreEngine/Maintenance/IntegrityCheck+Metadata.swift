import SQLCipher
import StoreBasics

/// Checks that all metadata can be decoded, because a read request returns metadata without a check.
extension IntegrityCheck {
    mutating func checkMetadata() throws(StoreError) {
        guard try hasMetadata else { return }
        for (table, column) in Self.metadataColumns {
            let text = "SELECT \(column) FROM \(table) WHERE \(column) IS NOT NULL"
            let rows = try connection.rows(StatementText(text))
            var wrong = 0
            while try rows.next() {
                wrong += Metadata.isValid(rows.borrowedBytes(0)) ? 0 : 1
            }
            if wrong > 0 {
                report.add("rows of table \(table) have metadata that cannot be read \(Self.found(wrong))")
            }
        }
    }

    private static let metadataColumns = [
        // An empty blob in messages says that the metadata are in message_texts.
        ("messages", "nullif(metadata, x'')"), ("message_texts", "metadata"), ("conversation_metadata", "data"),
        ("contact_metadata", "data"), ("log_entries", "metadata"), ("replica_log_entries", "metadata"),
        ("attachments", "metadata"),
    ]
}
