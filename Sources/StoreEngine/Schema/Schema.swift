import SQLCipher
import StoreBasics

/// The tables of the store. The SQL is limited to what SQLite 3.15.2 (Debian 12) understands.
///
/// The number of a conversation, log, file, directory or content is the revision that created it. Only contents of
/// attachments, and contents that other devices sent, have numbers above all revisions. No number is used again,
/// because rows of a deleted thing may still wait for their removal, which `removals` records. The content of a removed
/// directory may wait in the same way.
///
/// Entries of a log before its `first_sequence` do not belong to the log any more, and may wait, too. Displaced entries
/// are usually deleted at once, and `first_sequence` stays. If too many entries were displaced, `first_sequence` is
/// raised, and the entries wait.
enum Schema {
    /// The `user_version` of a store that this build writes.
    static var version: Int { migrations.count }

    /// The migrations. Step n upgrades a store from version n to n + 1, in one transaction. A step is never edited
    /// after its release.
    static let migrations: [String] = [
        """
        CREATE TABLE store (
            singleton INTEGER PRIMARY KEY CHECK (singleton = 1),
            created_at INTEGER NOT NULL,
            compacted_through INTEGER NOT NULL,
            history BLOB NOT NULL,
            last_attachment_content INTEGER NOT NULL,
            evictable_bytes INTEGER NOT NULL DEFAULT 0
        );
        \(JournalRow.table)
        CREATE TABLE clock (
            singleton INTEGER PRIMARY KEY CHECK (singleton = 1),
            age INTEGER NOT NULL,
            boot TEXT NOT NULL,
            since_boot INTEGER NOT NULL,
            wall_time INTEGER NOT NULL
        );
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
            last_message_sequence INTEGER,
            last_activity_at INTEGER NOT NULL,
            message_lifetime INTEGER,
            message_lifetime_from INTEGER,
            keep_for INTEGER,
            keep_count INTEGER,
            retention_due_at INTEGER
        );
        CREATE INDEX conversations_by_retention ON conversations (retention_due_at)
            WHERE retention_due_at IS NOT NULL;
        CREATE INDEX conversations_by_activity ON conversations (is_pinned, last_activity_at, number);
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
            PRIMARY KEY (conversation, timestamp, sequence)
        ) WITHOUT ROWID;
        CREATE UNIQUE INDEX messages_by_id ON messages (id);
        CREATE TABLE message_expiries (
            expires_at INTEGER NOT NULL,
            sequence INTEGER NOT NULL,
            conversation INTEGER NOT NULL,
            timestamp INTEGER NOT NULL,
            PRIMARY KEY (expires_at, sequence)
        ) WITHOUT ROWID;
        CREATE TABLE reactions (
            message_sequence INTEGER NOT NULL,
            revision INTEGER NOT NULL,
            author TEXT NOT NULL,
            emoji TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            PRIMARY KEY (message_sequence, revision)
        ) WITHOUT ROWID;
        CREATE UNIQUE INDEX reactions_by_author ON reactions (message_sequence, author, emoji);
        CREATE TABLE removals (
            kind INTEGER NOT NULL,
            first_number INTEGER NOT NULL,
            last_number INTEGER NOT NULL,
            PRIMARY KEY (kind, first_number)
        ) WITHOUT ROWID;
        CREATE TABLE contacts (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            session_id TEXT NOT NULL UNIQUE,
            display_name TEXT,
            sort_key TEXT NOT NULL,
            notes TEXT,
            is_blocked INTEGER NOT NULL DEFAULT 0,
            is_trusted INTEGER NOT NULL DEFAULT 0,
            has_avatar INTEGER NOT NULL DEFAULT 0,
            created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL
        );
        CREATE INDEX contacts_by_name ON contacts (sort_key, session_id);
        CREATE TABLE contact_avatars (
            contact INTEGER PRIMARY KEY REFERENCES contacts (number) ON DELETE CASCADE,
            data BLOB NOT NULL
        );
        CREATE TABLE changes (
            first_revision INTEGER PRIMARY KEY,
            last_revision INTEGER NOT NULL,
            committed_at INTEGER NOT NULL,
            conversation_count INTEGER NOT NULL,
            message_count INTEGER NOT NULL,
            contact_count INTEGER NOT NULL,
            unread_count INTEGER NOT NULL,
            entries BLOB NOT NULL
        );
        CREATE TABLE idempotency_keys (
            user INTEGER NOT NULL,
            key BLOB NOT NULL,
            position INTEGER NOT NULL,
            fingerprint INTEGER NOT NULL,
            result_kind INTEGER NOT NULL,
            result BLOB NOT NULL,
            PRIMARY KEY (user, key)
        ) WITHOUT ROWID;
        CREATE TABLE scene_values (
            number INTEGER PRIMARY KEY,
            scene TEXT NOT NULL,
            key TEXT NOT NULL,
            revision INTEGER NOT NULL,
            updated_at INTEGER NOT NULL,
            value BLOB NOT NULL
        );
        CREATE UNIQUE INDEX scene_values_by_key ON scene_values (scene, key);
        CREATE TABLE logs (
            number INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            maximum_bytes INTEGER NOT NULL,
            overwrites_oldest INTEGER NOT NULL,
            created_at INTEGER NOT NULL,
            first_sequence INTEGER NOT NULL DEFAULT 1
        );
        CREATE TABLE log_entries (
            log INTEGER NOT NULL,
            sequence INTEGER NOT NULL,
            offset INTEGER NOT NULL,
            position INTEGER NOT NULL,
            data BLOB NOT NULL,
            revision INTEGER NOT NULL,
            PRIMARY KEY (log, sequence)
        ) WITHOUT ROWID;
        CREATE TABLE files (
            number INTEGER PRIMARY KEY,
            parent INTEGER NOT NULL,
            name TEXT NOT NULL,
            content INTEGER,
            revision INTEGER NOT NULL,
            created_at INTEGER NOT NULL,
            modified_at INTEGER NOT NULL,
            copied_from INTEGER,
            file_count INTEGER NOT NULL DEFAULT 0,
            directory_count INTEGER NOT NULL DEFAULT 0,
            byte_count INTEGER NOT NULL DEFAULT 0
        );
        CREATE UNIQUE INDEX files_by_name ON files (parent, name);
        CREATE TABLE file_contents (
            number INTEGER PRIMARY KEY,
            reference_count INTEGER NOT NULL,
            byte_count INTEGER NOT NULL,
            id BLOB,
            key BLOB,
            cipher INTEGER,
            chunk_bytes INTEGER,
            generation INTEGER,
            chunks_sealed INTEGER,
            data BLOB
        );
        CREATE UNIQUE INDEX file_contents_by_id ON file_contents (id) WHERE id IS NOT NULL;
        CREATE TABLE content_chunks (
            content INTEGER NOT NULL,
            first_chunk INTEGER NOT NULL,
            chunk_count INTEGER NOT NULL,
            first_slot INTEGER NOT NULL,
            generation INTEGER NOT NULL,
            PRIMARY KEY (content, first_chunk)
        ) WITHOUT ROWID;
        CREATE TABLE content_freed_slots (
            content INTEGER NOT NULL,
            first_slot INTEGER NOT NULL,
            slot_count INTEGER NOT NULL,
            PRIMARY KEY (content, first_slot)
        ) WITHOUT ROWID;
        CREATE TABLE attachments (
            list INTEGER NOT NULL,
            position INTEGER NOT NULL,
            conversation INTEGER,
            timestamp INTEGER,
            sequence INTEGER,
            content INTEGER NOT NULL,
            name TEXT NOT NULL,
            mime_type TEXT NOT NULL,
            source TEXT,
            thumbnail BLOB,
            PRIMARY KEY (list, position)
        ) WITHOUT ROWID;
        CREATE INDEX attachments_by_conversation ON attachments (conversation, timestamp, sequence, position)
            WHERE conversation IS NOT NULL;
        CREATE TABLE attachment_contents (
            number INTEGER PRIMARY KEY,
            digest BLOB NOT NULL UNIQUE,
            byte_count INTEGER NOT NULL,
            stored INTEGER,
            reference_count INTEGER NOT NULL,
            kept_count INTEGER NOT NULL,
            used_at INTEGER NOT NULL,
            expires_at INTEGER
        );
        CREATE UNIQUE INDEX attachment_contents_by_stored ON attachment_contents (stored) WHERE stored IS NOT NULL;
        CREATE INDEX attachment_contents_by_use ON attachment_contents (used_at, number)
            WHERE stored IS NOT NULL AND kept_count = 0;
        CREATE INDEX attachment_contents_by_expiry ON attachment_contents (expires_at) WHERE expires_at IS NOT NULL;
        \(SearchIndexState.table)
        \(SearchPending.table)
        \(SearchIndex.tables)
        """,
        ReplicaTables.definitions,
        // Invitations end at an age of the store; open invitations of schema 2 ended by the wall clock, so they are
        // deleted. In schema 2, the names of replaced tables contain `PRAGMA schema_version`, which is less than 2^32.
        """
        ALTER TABLE store ADD COLUMN last_replacement INTEGER NOT NULL DEFAULT 0;
        UPDATE OR FAIL store SET last_replacement = 4294967296;
        ALTER TABLE clock ADD COLUMN synchronized_offset INTEGER;
        ALTER TABLE clock ADD COLUMN lacks_time_off INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE clock ADD COLUMN ahead_offset INTEGER;
        ALTER TABLE clock ADD COLUMN ahead_since INTEGER;
        ALTER TABLE replica_members ADD COLUMN time_offset INTEGER;
        ALTER TABLE replica_members ADD COLUMN asked_in INTEGER NOT NULL DEFAULT 0;
        DELETE FROM replica_invitations WHERE is_own = 0 AND device IS NULL;
        \(ReplicaTables.timesOfChanges)
        \(OrderByID.migration)
        """,
        LongTexts.migration,
        UnknownFieldsMigration.migration,
        MetadataMigration.migration + "\n" + ReplicaTables.orderOfBatches,
    ]

    /// Creates the tables of a new store in an empty database.
    static func create(_ connection: Connection, now: Timestamp) throws(StoreError) {
        try apply(migrations, from: 0, to: connection)
        try connection.run(insertStore, now, HistoryID.random())
        try ClockRow.insert(now, connection)
    }

    private static let insertStore = StatementText(
        """
        INSERT INTO store (singleton, created_at, compacted_through, history, last_attachment_content)
        VALUES (1, ?1, 0, ?2, 0)
        """)

    /// Upgrades a store to this build's version.
    ///
    /// - Parameter migrations: The migrations of this build, or of a test.
    /// - Throws: `.newerSchema` for a store of a later build, `.databaseDamaged` for a database that is not a store;
    ///   nothing was written then.
    static func migrate(_ connection: Connection, migrations: [String] = migrations) throws(StoreError) {
        try apply(migrations, from: try version(of: connection, newest: migrations.count), to: connection)
    }

    /// Returns the version of a store: 1 to `newest`.
    ///
    /// - Throws: `.newerSchema` if a later build wrote the database, `.databaseDamaged` if it is not a store.
    @discardableResult
    static func version(of connection: Connection, newest: Int = version) throws(StoreError) -> Int {
        let stored = try mapped(connection.integer("PRAGMA user_version")) ?? 0
        guard stored >= 1 else { throw .databaseDamaged("the database contains no store", isFileLost: true) }
        guard stored <= Int64(newest) else {
            throw StoreError(
                .newerSchema,
                """
                the store has schema version \(stored), but this ghoststored knows only versions up to \(newest); \
                install a newer version
                """)
        }
        return Int(stored)
    }

    private static func apply(_ migrations: [String], from version: Int, to connection: Connection) throws(StoreError) {
        for step in version..<migrations.count {
            try mapped(
                connection.transaction { () throws(SQLCipherError) in
                    try connection.execute(migrations[step])
                    try connection.execute("PRAGMA user_version = \(step + 1)")
                })
        }
    }
}
