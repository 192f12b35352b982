/// The migration that adds data of the application: metadata, kinds, names of senders and members of conversations.
/// Stores of an earlier schema contain no such data. The migration also adds the indexes for the list of all
/// attachments by size.
enum MetadataMigration {
    static let migration = """
        ALTER TABLE messages ADD COLUMN kind TEXT;
        ALTER TABLE messages ADD COLUMN sender_name TEXT;
        ALTER TABLE messages ADD COLUMN metadata BLOB;
        ALTER TABLE message_texts ADD COLUMN metadata BLOB;
        ALTER TABLE attachments ADD COLUMN metadata BLOB;
        ALTER TABLE conversations ADD COLUMN kind TEXT;
        ALTER TABLE conversations ADD COLUMN has_metadata INTEGER NOT NULL DEFAULT 0;
        CREATE TABLE conversation_metadata (
            conversation INTEGER PRIMARY KEY REFERENCES conversations (number) ON DELETE CASCADE,
            data BLOB NOT NULL
        );
        CREATE TABLE conversation_members (
            number INTEGER PRIMARY KEY,
            conversation INTEGER NOT NULL,
            session_id TEXT NOT NULL,
            name TEXT NOT NULL,
            role TEXT NOT NULL
        );
        CREATE UNIQUE INDEX conversation_members_by_session ON conversation_members (conversation, session_id);
        ALTER TABLE contacts ADD COLUMN has_metadata INTEGER NOT NULL DEFAULT 0;
        CREATE TABLE contact_metadata (
            contact INTEGER PRIMARY KEY REFERENCES contacts (number) ON DELETE CASCADE,
            data BLOB NOT NULL
        );
        ALTER TABLE log_entries ADD COLUMN metadata BLOB;
        ALTER TABLE replica_log_entries ADD COLUMN metadata BLOB;
        CREATE INDEX attachments_by_content ON attachments (content) WHERE conversation IS NOT NULL;
        CREATE INDEX attachment_contents_by_byte_count ON attachment_contents (byte_count);
        """

    /// The first schema version with these columns.
    static let firstSchemaVersion = 6
}
