/// The tables of replicated logs, with the entries that each device of the group, including this one, has appended.
/// They stay when the store leaves its group.
enum ReplicaLogTables {
    static let definitions = """
        ALTER TABLE logs ADD COLUMN is_replicated INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE logs ADD COLUMN told_through INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX logs_by_replication ON logs (number) WHERE is_replicated = 1;
        ALTER TABLE log_entries ADD COLUMN appended_at INTEGER;
        CREATE TABLE replica_logs (
            number INTEGER PRIMARY KEY,
            name TEXT NOT NULL,
            device INTEGER NOT NULL,
            opened INTEGER NOT NULL,
            value BLOB NOT NULL,
            oldest INTEGER NOT NULL,
            own_log INTEGER
        );
        CREATE UNIQUE INDEX replica_logs_by_name ON replica_logs (name, device, opened);
        CREATE TABLE replica_log_entries (
            log INTEGER NOT NULL,
            sequence INTEGER NOT NULL,
            time INTEGER NOT NULL,
            data BLOB NOT NULL,
            PRIMARY KEY (log, sequence)
        ) WITHOUT ROWID;
        """

    static let names = ["replica_logs", "replica_log_entries"]
}
