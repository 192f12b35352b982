/// The migration that orders messages and conversations with equal times by id, because ids are the same on every
/// device and the numbers of rows are not. Afterwards, the key of a message is its conversation, timestamp and id.
///
/// The rows are copied in their stored order, into tables that have their indexes. So nothing is sorted in memory,
/// however many messages there are.
enum OrderByID {
    static let migration = """
        ALTER TABLE messages RENAME TO old_messages;
        ALTER TABLE message_expiries RENAME TO old_message_expiries;
        ALTER TABLE attachments RENAME TO old_attachments;
        ALTER TABLE conversation_avatars RENAME TO old_conversation_avatars;
        ALTER TABLE conversation_drafts RENAME TO old_conversation_drafts;
        ALTER TABLE conversations RENAME TO old_conversations;
        DROP INDEX IF EXISTS messages_by_id;
        DROP INDEX IF EXISTS attachments_by_conversation;
        DROP INDEX IF EXISTS conversations_by_retention;
        DROP INDEX IF EXISTS conversations_by_activity;
        DROP INDEX IF EXISTS conversation_drafts_by_revision;
        CREATE TABLE messages (
            conversation INTEGER NOT NULL,
            timestamp INTEGER NOT NULL,
            sequence INTEGER NOT NULL,
            id TEXT NOT NULL,
            text TEXT NOT NULL,
            sender TEXT NOT NULL,
            recipient TEXT NOT NULL,
            status INTEGER NOT NULL,
            is_outgoing INTEGER NOT NULL,
            is_read INTEGER NOT NULL,
            attachment_url TEXT,
            attachment_type TEXT,
            reply_to TEXT,
            created_at INTEGER NOT NULL,
            edited_at INTEGER,
            reactions BLOB,
            timer INTEGER,
            expires_at INTEGER,
            attachments INTEGER,
            PRIMARY KEY (conversation, timestamp, id)
        ) WITHOUT ROWID;
        CREATE UNIQUE INDEX messages_by_id ON messages (id);
        CREATE TABLE message_expiries (
            expires_at INTEGER NOT NULL,
            message TEXT NOT NULL,
            PRIMARY KEY (expires_at, message)
        ) WITHOUT ROWID;
        CREATE TABLE attachments (
            list INTEGER NOT NULL,
            position INTEGER NOT NULL,
            conversation INTEGER,
            timestamp INTEGER,
            message TEXT,
            content INTEGER NOT NULL,
            name TEXT NOT NULL,
            mime_type TEXT NOT NULL,
            source TEXT,
            thumbnail BLOB,
            PRIMARY KEY (list, position)
        ) WITHOUT ROWID;
        CREATE INDEX attachments_by_conversation ON attachments (conversation, timestamp, message, position)
            WHERE conversation IS NOT NULL;
        CREATE TABLE conversations (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            session_id TEXT NOT NULL UNIQUE,
            display_name TEXT,
            is_pinned INTEGER NOT NULL DEFAULT 0,
            is_muted INTEGER NOT NULL DEFAULT 0,
            has_avatar INTEGER NOT NULL DEFAULT 0,
            created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL,
            message_count INTEGER NOT NULL DEFAULT 0,
            unread_count INTEGER NOT NULL DEFAULT 0,
            unread_outgoing_count INTEGER NOT NULL DEFAULT 0,
            last_message_at INTEGER,
            last_message_id TEXT,
            last_activity_at INTEGER NOT NULL,
            message_lifetime INTEGER,
            message_lifetime_from INTEGER,
            keep_for INTEGER,
            keep_count INTEGER,
            retention_due_at INTEGER
        );
        CREATE INDEX conversations_by_retention ON conversations (retention_due_at)
            WHERE retention_due_at IS NOT NULL;
        CREATE INDEX conversations_by_activity ON conversations (is_pinned, last_activity_at, id);
        CREATE TABLE conversation_avatars (
            conversation INTEGER PRIMARY KEY REFERENCES conversations (number) ON DELETE CASCADE,
            data BLOB NOT NULL
        );
        CREATE TABLE conversation_drafts (
            conversation INTEGER PRIMARY KEY REFERENCES conversations (number) ON DELETE CASCADE,
            text TEXT NOT NULL,
            attachment_url TEXT,
            attachment_type TEXT,
            reply_to TEXT,
            updated_at INTEGER NOT NULL,
            revision INTEGER NOT NULL,
            attachments INTEGER
        );
        CREATE UNIQUE INDEX conversation_drafts_by_revision ON conversation_drafts (revision);
        INSERT INTO messages SELECT * FROM old_messages;
        INSERT INTO message_expiries SELECT e.expires_at, m.id FROM old_message_expiries AS e
            CROSS JOIN old_messages AS m ON m.conversation = e.conversation AND m.timestamp = e.timestamp
                AND m.sequence = e.sequence;
        INSERT INTO attachments
            SELECT a.list, a.position, a.conversation, a.timestamp, m.id, a.content, a.name, a.mime_type, a.source,
                a.thumbnail
            FROM old_attachments AS a LEFT JOIN old_messages AS m ON m.conversation = a.conversation
                AND m.timestamp = a.timestamp AND m.sequence = a.sequence;
        INSERT INTO conversations
            SELECT number, id, session_id, display_name, is_pinned, is_muted, has_avatar, created_at, updated_at,
                message_count, unread_count, unread_outgoing_count, last_message_at,
                (SELECT max(m.id) FROM messages AS m
                    WHERE m.conversation = c.number AND m.timestamp = c.last_message_at),
                last_activity_at, message_lifetime, message_lifetime_from, keep_for, keep_count, retention_due_at
            FROM old_conversations AS c;
        INSERT INTO conversation_avatars SELECT * FROM old_conversation_avatars;
        INSERT INTO conversation_drafts SELECT * FROM old_conversation_drafts;
        DROP TABLE old_conversation_avatars;
        DROP TABLE old_conversation_drafts;
        DROP TABLE old_conversations;
        DROP TABLE old_attachments;
        DROP TABLE old_message_expiries;
        DROP TABLE old_messages;
        CREATE INDEX attachment_contents_by_size ON attachment_contents (byte_count)
            WHERE stored IS NOT NULL AND kept_count = 0;
        UPDATE OR FAIL replica_group SET walk = substr(walk, 1, 17) WHERE substr(walk, 1, 1) = x'01';
        UPDATE OR FAIL replica_snapshots SET walk = substr(walk, 1, 17) WHERE substr(walk, 1, 1) = x'01';
        \(SearchIndexState.rebuilt("terms2"))
        """
}
