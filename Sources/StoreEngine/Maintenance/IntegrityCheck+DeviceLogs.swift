import ReplicaModel
import StoreBasics

/// Checks that the entries of each device in replicated logs belong to a log, have valid numbers and times, and are not
/// older than the first entry that still exists.
extension IntegrityCheck {
    mutating func checkDeviceLogs() throws(StoreError) {
        guard try hasGroupTables else { return }
        report.rowsChecked += try integer("SELECT count(*) FROM replica_logs")
        report.rowsChecked += try integer("SELECT count(length(data)) FROM replica_log_entries")
        try addFinding(
            "append logs have an invalid replication state",
            """
            SELECT count(*) FROM logs AS l WHERE is_replicated NOT IN (0, 1) OR told_through < 0
                OR told_through > coalesce((SELECT max(sequence) FROM log_entries WHERE log = l.number), 0)
            """)
        try addFinding(
            "logs of other devices have no entries, or an impossible oldest sequence number or creation revision",
            """
            SELECT count(*) FROM replica_logs AS d WHERE oldest NOT BETWEEN 1 AND \(Rows.countMax) OR opened < 1
                OR NOT EXISTS (SELECT 1 FROM replica_log_entries WHERE log = d.number AND sequence >= d.oldest)
            """)
        try addFinding(
            """
            log entries of other devices belong to no log, or come before the first entry of their log; no pending \
            removal will delete them
            """,
            """
            SELECT count(*) FROM replica_log_entries AS e LEFT JOIN replica_logs AS d ON d.number = e.log
            WHERE (d.number IS NULL OR e.sequence < d.oldest) AND NOT EXISTS (
                SELECT 1 FROM removals WHERE kind = \(Leftovers.Kind.deviceEntries.rawValue)
                    AND e.log BETWEEN first_number AND last_number)
            """)
        try addFinding(
            "log entries of other devices are empty, or have impossible sequence numbers or times",
            """
            SELECT count(*) FROM replica_log_entries
            WHERE sequence NOT BETWEEN 1 AND \(Rows.countMax) OR time < 0 OR length(data) = 0
            """)
    }
}
