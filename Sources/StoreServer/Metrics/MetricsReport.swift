import StoreBasics
import StoreEngine
import StoreProtocol

/// The data of get_metrics, read at one moment.
struct MetricsReport: Sendable {
    var totals = ServerMetrics.Totals()
    var status = StatusReport()
    var watches = 0
    var memory = MemoryBudget.Figures()
    var writing = WriteCounts()
    var audit = AuditLog.Counts()
    /// `nil` while the store is not open.
    var statistics: Statistics?
    /// `nil` if the store belongs to no replica group or is not open.
    var replica: ReplicaStatus?
    /// `nil` if there is no backup.
    var newestBackupAt: Timestamp?
    /// The current time, from which the ages of merges are computed.
    var now = Timestamp(microseconds: 0)

    func text(_ format: MetricsText.Format) -> String {
        var text = MetricsText(format)
        writeRequests(to: &text)
        writeConnections(to: &text)
        writeMemory(to: &text)
        writeAudit(to: &text)
        writeStore(to: &text)
        writeWriting(to: &text)
        writeFiles(to: &text)
        writeReplication(to: &text)
        writeProcess(to: &text)
        return text.finished()
    }

    private func writeRequests(to text: inout MetricsText) {
        let calls = totals.calls.sorted { $0.key.rawValue < $1.key.rawValue }
        text.family("ghoststore_requests", .counter, "Requests that the daemon answered, by call and outcome.")
        for (kind, call) in calls {
            text.sample(call.succeeded, ["call": kind.name, "outcome": "success"])
            text.sample(call.failed, ["call": kind.name, "outcome": "failure"])
        }
        text.family(
            "ghoststore_request_duration_seconds", .histogram,
            "Time from the arrival of a request's bytes to the writing of its last answer.")
        for (kind, call) in calls {
            text.durations(call.latency, ["call": kind.name])
        }
        text.family("ghoststore_errors", .counter, "Errors that the daemon returned to clients, by reason.")
        // Includes reasons that have not occurred, because Prometheus sees no increase in a counter that did not exist
        // before.
        for reason in ErrorReason.allCases {
            text.sample(totals.errors[reason] ?? 0, ["reason": reason.rawValue])
        }
    }

    private func writeConnections(to text: inout MetricsText) {
        text.single(
            "ghoststore_connections", .gauge, "Connections open now.", UInt64(clamping: status.wire.connectionCount))
        text.single(
            "ghoststore_connections_accepted", .counter, "Connections accepted.", totals.connectionsAccepted)
        text.single(
            "ghoststore_connections_refused", .counter, "Connections refused because of a limit.",
            totals.connectionsRefused)
        text.single(
            "ghoststore_connections_cut", .counter,
            "Connections closed because unread answers used up the memory share of the client's user.",
            totals.connectionsCut)
        text.single("ghoststore_received_bytes", .counter, "Bytes received.", totals.receivedBytes)
        text.single(
            "ghoststore_sent_bytes", .counter,
            """
            Bytes of answers handed over for sending, including those that clients have not read yet.
            """, totals.sentBytes)
        text.single("ghoststore_watches", .gauge, "Watches running now.", UInt64(clamping: watches))
        text.single("ghoststore_watch_events", .counter, "Watch events sent.", totals.watchEvents)
    }

    private func writeMemory(to text: inout MetricsText) {
        text.single(
            "ghoststore_memory_budget_bytes", .gauge, "Memory used by requests and answers in progress.",
            UInt64(clamping: memory.usedBytes))
        text.single(
            "ghoststore_memory_budget_peak_bytes", .gauge,
            """
            Highest value of ghoststore_memory_budget_bytes since the start.
            """,
            UInt64(clamping: memory.peakBytes))
        text.single(
            "ghoststore_memory_budget_limit_bytes", .gauge,
            """
            Limit of the memory for requests and answers: limits.memory_bytes_max.
            """,
            UInt64(clamping: memory.totalBytes))
        text.single(
            "ghoststore_memory_waits", .counter,
            "Number of times the daemon stopped reading from a connection because memory was short.",
            memory.waitCount)
    }

    private func writeAudit(to text: inout MetricsText) {
        text.single("ghoststore_audit_entries", .counter, "Audit entries written.", audit.written)
        text.single(
            "ghoststore_audit_entries_dropped", .counter, "Audit entries that the system's journal did not accept.",
            audit.dropped)
        text.single(
            "ghoststore_audit_entries_suppressed", .counter,
            "Audit entries left out because one user caused too many; the audit contains their number.",
            audit.suppressed)
    }

    private func writeStore(to text: inout MetricsText) {
        let isOpen = status.state == .open || status.state == .readOnly
        text.single("ghoststore_store_open", .gauge, "1 while the store is open, otherwise 0.", isOpen ? 1 : 0)
        text.single(
            "ghoststore_store_read_only", .gauge, "1 while the disk is full, otherwise 0.",
            status.state == .readOnly ? 1 : 0)
        if let statistics {
            text.single(
                "ghoststore_revision", .gauge, "The store's revision; a restore can lower it.", statistics.revision)
            text.single(
                "ghoststore_conversations", .gauge, "Conversations.", UInt64(clamping: statistics.conversationCount))
            text.single("ghoststore_messages", .gauge, "Messages.", UInt64(clamping: statistics.messageCount))
            text.single("ghoststore_contacts", .gauge, "Contacts.", UInt64(clamping: statistics.contactCount))
        }
        text.single("ghoststore_database_bytes", .gauge, "Size of the database file.", status.wire.databaseBytes)
        text.single("ghoststore_wal_bytes", .gauge, "Size of the write-ahead log.", status.wire.walBytes)
        text.single("ghoststore_journal_bytes", .gauge, "Size of the journal's segments.", status.wire.journalBytes)
        text.single(
            "ghoststore_revisions_missing", .gauge,
            "Acknowledged revisions dropped when the store was last opened (--accept-loss).",
            status.wire.revisionsMissing)
        text.single(
            "ghoststore_backup_newest_timestamp_seconds", .gauge,
            "Time of the newest backup, in seconds since 1970; 0 without a backup.",
            UInt64(clamping: (newestBackupAt?.microseconds ?? 0) / 1_000_000))
    }

    private func writeWriting(to text: inout MetricsText) {
        text.family(
            "ghoststore_group_requests", .histogram,
            """
            Number of write requests in one batch, which one sync makes durable together.
            """)
        text.amounts(writing.groupRequests)
        text.family(
            "ghoststore_journal_record_bytes", .histogram,
            "Size of a journal record, which contains one batch of writes.")
        text.amounts(writing.recordBytes)
        text.family(
            "ghoststore_journal_sync_seconds", .histogram, "Duration of the fdatasync call for a journal record.")
        text.durations(writing.syncNanoseconds)
    }

    private func writeFiles(to text: inout MetricsText) {
        let areas = status.fileAreas
        text.family("ghoststore_files", .gauge, "Files in the vault, by area.")
        for area in areas {
            text.sample(UInt64(clamping: area.usage.fileCount), ["area": area.area.rawValue])
        }
        text.family(
            "ghoststore_file_bytes", .gauge,
            "Bytes of files in the vault, by area; each copy of a file counts in full.")
        for area in areas {
            text.sample(UInt64(clamping: area.usage.byteCount), ["area": area.area.rawValue])
        }
        text.family("ghoststore_file_limit_bytes", .gauge, "Limit of the bytes of files, for areas that have a limit.")
        for area in areas where area.byteCountMax > 0 {
            text.sample(area.byteCountMax, ["area": area.area.rawValue])
        }
    }

    /// The names do not begin with `process_`, because an exporter that passes on these metrics has `process_` metrics
    /// of its own.
    private func writeProcess(to text: inout MetricsText) {
        text.family(
            "ghoststore_build_info", .gauge, "Always 1; the labels name the versions of the daemon and its libraries.")
        text.sample(
            1,
            [
                "version": status.wire.serverVersion, "sqlcipher": status.wire.sqlcipherVersion,
                "sqlite": status.wire.sqliteVersion,
                "libsodium": status.wire.libsodiumVersion,
            ])
        text.single(
            "ghoststore_resident_memory_bytes", .gauge, "Resident memory of the daemon.", status.wire.residentBytes)
        text.single(
            "ghoststore_uptime_seconds", .gauge, "Time since the daemon started.",
            status.wire.uptimeMilliseconds / 1_000)
    }
}
