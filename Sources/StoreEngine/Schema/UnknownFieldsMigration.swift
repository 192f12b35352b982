/// The migration to formats to which later versions can add fields.
///
/// Messages and attachments keep the fields that this version does not know. Batches of the previous format cannot be
/// read any more, so the store leaves its group: the tables about the group are emptied, together with the times of
/// changes. Entries that devices have appended to logs stay. Incomplete contents stay too; the next group deletes them.
enum UnknownFieldsMigration {
    static let migration = """
        ALTER TABLE messages ADD COLUMN unknown_fields BLOB;
        ALTER TABLE attachments ADD COLUMN unknown_fields BLOB;
        \(emptied.map { "DELETE FROM \($0);" }.joined(separator: "\n"))
        UPDATE OR FAIL replica_logs SET own_log = NULL WHERE own_log IS NOT NULL;
        """

    private static let emptied = [
        "replica_group", "replica_invitations", "replica_epochs", "replica_grants", "replica_members",
        "replica_outgoing", "replica_snapshots", "replica_parts", "replica_contents", "replica_untold_contents",
        "replica_missing_contents", "replica_untold_removals", "replica_things", "replica_names", "replica_messages",
        "replica_former", "replica_untold_paths", "replica_wanted_files",
    ]
}
