/// The tables about contents in replication: published contents, contents to publish, missing and incomplete contents,
/// files to publish, and files that wait for their contents.
enum ReplicaContentTables {
    static let definitions = """
        CREATE TABLE replica_contents (
            digest BLOB NOT NULL PRIMARY KEY,
            device INTEGER NOT NULL,
            sequence INTEGER,
            answered_at INTEGER,
            answered_to INTEGER
        ) WITHOUT ROWID;
        CREATE TABLE replica_untold_contents (
            number INTEGER PRIMARY KEY,
            digest BLOB NOT NULL UNIQUE,
            byte_count INTEGER NOT NULL,
            told_bytes INTEGER NOT NULL,
            is_again INTEGER NOT NULL
        );
        CREATE INDEX replica_untold_contents_by_order ON replica_untold_contents (is_again, number);
        CREATE TABLE replica_missing_contents (
            digest BLOB NOT NULL PRIMARY KEY,
            device INTEGER NOT NULL,
            sequence INTEGER,
            holder INTEGER NOT NULL,
            named_in INTEGER NOT NULL,
            named_at INTEGER NOT NULL,
            asked_at INTEGER,
            asked_count INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE replica_staged_contents (
            content INTEGER PRIMARY KEY,
            digest BLOB NOT NULL,
            device INTEGER NOT NULL,
            byte_count INTEGER NOT NULL,
            changed_at INTEGER NOT NULL
        );
        CREATE UNIQUE INDEX replica_staged_contents_by_digest ON replica_staged_contents (digest, device);
        CREATE TABLE replica_digests (
            content INTEGER PRIMARY KEY,
            generation INTEGER NOT NULL,
            digest BLOB NOT NULL
        );
        CREATE INDEX replica_digests_by_digest ON replica_digests (digest);
        CREATE TABLE replica_untold_paths (
            name BLOB NOT NULL PRIMARY KEY,
            place BLOB NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE replica_wanted_files (
            name BLOB NOT NULL PRIMARY KEY,
            digest BLOB NOT NULL,
            value BLOB NOT NULL,
            present BLOB NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX replica_wanted_files_by_digest ON replica_wanted_files (digest);
        """

    static let namesOfGroup = [
        "replica_contents", "replica_untold_contents", "replica_missing_contents", "replica_staged_contents",
    ]

    static let namesOfMarks = ["replica_digests", "replica_untold_paths", "replica_wanted_files"]
}
