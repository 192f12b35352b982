import ReplicaModel
import StoreBasics

@testable import StoreEngine

extension CheckFindingTests {
    static let ofMetadata = [
        Specimen(
            "UPDATE messages SET metadata = x'' WHERE timestamp = 1",
            "messages have long metadata that are missing in table message_texts (1 found)"),
        Specimen(
            "INSERT INTO conversation_metadata VALUES (9999, x'0a0101')",
            "a row of table conversation_metadata refers to a missing row of conversations"),
        Specimen(
            "UPDATE conversations SET has_metadata = 1", "conversations have a wrong flag for the metadata (1 found)"),
        unreadable("UPDATE messages SET metadata = x'ff' WHERE timestamp = 1", "messages"),
        unreadable("UPDATE message_texts SET metadata = x'1201'", "message_texts"),
        unreadable("UPDATE attachments SET metadata = x'0a'", "attachments"),
        unreadable("UPDATE log_entries SET metadata = x'' WHERE sequence = 3", "log_entries"),
        unreadable("UPDATE replica_log_entries SET metadata = x'0a'", "replica_log_entries"),
        Specimen(
            "INSERT INTO conversation_members VALUES (1, 9999, 'peer', '', '')",
            """
            table conversation_members has rows of conversations that do not exist (1 found), and no pending removal \
            will delete these rows
            """),
    ]

    private static func unreadable(_ change: String, _ table: String) -> Specimen {
        Specimen(change, "rows of table \(table) have metadata that cannot be read (1 found)")
    }

    /// Fills the tables of delayed messages and of lost edits, each with one row.
    static func addLostEdit(to store: TemporaryStore) throws {
        try store.engine.writer.perform { context throws(StoreError) in
            try context.commit { connection throws(StoreError) in
                try DelayedMessageRows.insert("m1", connection)
                try LostEditRows.keep("text", at: .draft, "peer", .beforeGroup(at: .now), connection)
            }
        }
    }
}
