import StoreBasics

/// The tables of a store that belongs to a replica group, empty before the store joins one. When the store leaves, only
/// the tables in `namesOfGroup` are emptied.
enum ReplicaTables {
    static let definitions = """
        CREATE TABLE replica_group (
            singleton INTEGER PRIMARY KEY CHECK (singleton = 1),
            device INTEGER NOT NULL,
            device_name TEXT NOT NULL,
            device_keys BLOB NOT NULL,
            history BLOB NOT NULL,
            id BLOB NOT NULL,
            state INTEGER NOT NULL,
            selection BLOB NOT NULL,
            clock INTEGER NOT NULL,
            collected_through INTEGER NOT NULL,
            last_sequence INTEGER NOT NULL,
            last_hash BLOB NOT NULL,
            stored_through INTEGER NOT NULL,
            walk BLOB,
            snapshot BLOB,
            snapshot_maker INTEGER,
            snapshot_chunks INTEGER,
            snapshot_hash BLOB,
            snapshot_heard_at INTEGER,
            positions_told_at INTEGER NOT NULL
        );
        CREATE TABLE replica_members (
            device INTEGER PRIMARY KEY,
            signing_key BLOB NOT NULL,
            receiving_key BLOB NOT NULL,
            name TEXT NOT NULL,
            flags INTEGER NOT NULL,
            merged_sequence INTEGER NOT NULL,
            merged_hash BLOB NOT NULL,
            merged_at INTEGER,
            removed_through INTEGER,
            fault TEXT,
            ahead_milliseconds INTEGER NOT NULL,
            told_sequence INTEGER NOT NULL,
            told_at INTEGER,
            teller INTEGER,
            key_awaited_since INTEGER,
            asked_device INTEGER,
            asked_at INTEGER,
            held_sequence INTEGER NOT NULL,
            held_at INTEGER
        );
        CREATE TABLE replica_epochs (
            number INTEGER NOT NULL,
            maker INTEGER NOT NULL,
            key BLOB NOT NULL,
            PRIMARY KEY (number, maker)
        ) WITHOUT ROWID;
        CREATE TABLE replica_grants (
            number INTEGER NOT NULL,
            maker INTEGER NOT NULL,
            device INTEGER NOT NULL,
            is_sure INTEGER NOT NULL,
            PRIMARY KEY (number, maker, device)
        ) WITHOUT ROWID;
        CREATE TABLE replica_invitations (
            id BLOB NOT NULL PRIMARY KEY,
            code BLOB NOT NULL,
            expires_at INTEGER NOT NULL,
            is_own INTEGER NOT NULL,
            device INTEGER
        ) WITHOUT ROWID;
        CREATE TABLE replica_outgoing (
            channel TEXT NOT NULL,
            sequence INTEGER NOT NULL,
            message BLOB NOT NULL,
            PRIMARY KEY (channel, sequence)
        );
        CREATE TABLE replica_snapshots (
            id BLOB NOT NULL PRIMARY KEY,
            walk BLOB,
            last_chunk INTEGER NOT NULL,
            last_hash BLOB NOT NULL,
            positions BLOB NOT NULL,
            requester INTEGER NOT NULL,
            epoch_number INTEGER NOT NULL,
            epoch_maker INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE replica_parts (
            channel TEXT NOT NULL PRIMARY KEY,
            before_sequence INTEGER NOT NULL,
            before_hash BLOB NOT NULL,
            bytes BLOB NOT NULL
        );
        CREATE TABLE replica_things (
            kind INTEGER NOT NULL,
            name BLOB NOT NULL,
            state BLOB NOT NULL,
            PRIMARY KEY (kind, name)
        ) WITHOUT ROWID;
        CREATE TABLE replica_names (
            kind INTEGER NOT NULL,
            id TEXT NOT NULL,
            session_id TEXT NOT NULL,
            PRIMARY KEY (kind, id)
        ) WITHOUT ROWID;
        CREATE TABLE replica_messages (
            id TEXT NOT NULL PRIMARY KEY,
            mark BLOB NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE replica_untold_removals (
            message_id TEXT NOT NULL PRIMARY KEY,
            generation INTEGER NOT NULL
        ) WITHOUT ROWID;
        \(ReplicaContentTables.definitions)
        \(ReplicaLogTables.definitions)
        """

    /// The additions of schema 3: the times of changes, also of changes made outside of a group.
    static let timesOfChanges = """
        ALTER TABLE changes ADD COLUMN stamped_at INTEGER;
        CREATE TABLE replica_former (
            number INTEGER PRIMARY KEY,
            device INTEGER NOT NULL UNIQUE,
            selection BLOB NOT NULL,
            clock INTEGER NOT NULL,
            collected_through INTEGER NOT NULL
        );
        ALTER TABLE replica_untold_paths ADD COLUMN changed_at INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX replica_untold_paths_by_time ON replica_untold_paths (changed_at);
        """

    /// The additions of schema 6: columns for the order of the batches of several devices, texts that lost against
    /// concurrent changes, and messages that wait for the publication of their contents.
    static let orderOfBatches = """
        ALTER TABLE replica_members ADD COLUMN named_sequence INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE replica_members ADD COLUMN order_awaited_since INTEGER;
        ALTER TABLE replica_members ADD COLUMN unanswered_since INTEGER;
        ALTER TABLE replica_group ADD COLUMN last_change_sequence INTEGER NOT NULL DEFAULT 0;
        UPDATE OR FAIL replica_group SET last_change_sequence = last_sequence;
        CREATE TABLE replica_delayed_messages (
            id TEXT NOT NULL PRIMARY KEY
        ) WITHOUT ROWID;
        CREATE TABLE lost_edits (
            number INTEGER PRIMARY KEY,
            place INTEGER NOT NULL,
            name TEXT NOT NULL,
            device INTEGER NOT NULL,
            changed_at INTEGER NOT NULL,
            text TEXT NOT NULL
        );
        CREATE UNIQUE INDEX lost_edits_by_name ON lost_edits (place, name, device);
        """

    /// The tables that are emptied when the store is cleared, in this order. `ReplicaLogTables.names` has the tables of
    /// logs.
    static let names = namesOfGroup + namesOfMarks

    /// The tables that are emptied when the store leaves its group, its keys first.
    static let namesOfGroup =
        [
            "replica_group", "replica_invitations", "replica_epochs", "replica_grants", "replica_members",
            "replica_outgoing", "replica_snapshots", "replica_parts", "replica_delayed_messages",
        ] + ReplicaContentTables.namesOfGroup

    /// The tables with the times of changes. They stay until the store is cleared.
    private static let namesOfMarks =
        [
            "replica_untold_removals", "replica_things", "replica_names", "replica_messages", "replica_former",
            "lost_edits",
        ]
        + ReplicaContentTables.namesOfMarks
}

extension ReplicaTables {
    static var damaged: StoreError {
        .databaseDamaged("the data about the replica group is invalid")
    }
}
