import StoreEngine
import StoreProtocol

/// Everything get_metrics tells, gathered at one moment.
struct MetricsReport: Sendable {
    var totals = ServerMetrics.Totals()
    var status = StatusReport()
    var watches = 0
    var memoryBudgetUsedBytes = 0
    var audit = AuditLog.Counts()
    /// `nil` while the store is not open.
    var statistics: Statistics?

    var text: String {
        var text = PrometheusText()
        writeRequests(to: &text)
        writeConnections(to: &text)
        writeAudit(to: &text)
        writeStore(to: &text)
        writeFiles(to: &text)
        return text.text
    }

    private func writeRequests(to text: inout PrometheusText) {
        let calls = totals.calls.sorted { $0.key.rawValue < $1.key.rawValue }
        text.family("ghoststore_requests_total", "counter", "Requests answered, by call and outcome.")
        for (kind, call) in calls {
            text.sample(
                "ghoststore_requests_total", call.succeeded, labels: "call=\"\(kind.name)\",outcome=\"success\"")
            text.sample("ghoststore_requests_total", call.failed, labels: "call=\"\(kind.name)\",outcome=\"failure\"")
        }
        text.family(
            "ghoststore_request_duration_seconds", "histogram",
            "From the arrival of a request's bytes to the writing of its last answer.")
        for (kind, call) in calls {
            text.histogram("ghoststore_request_duration_seconds", call.latency, labels: "call=\"\(kind.name)\"")
        }
        text.family("ghoststore_errors_total", "counter", "Errors answered, by reason.")
        for (reason, count) in totals.errors.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            text.sample("ghoststore_errors_total", count, labels: "reason=\"\(reason.rawValue)\"")
        }
    }

    private func writeConnections(to text: inout PrometheusText) {
        text.single(
            "ghoststore_connections", "gauge", "Connections open now.", UInt64(clamping: status.connectionCount))
        text.single(
            "ghoststore_connections_accepted_total", "counter", "Connections accepted.", totals.connectionsAccepted)
        text.single(
            "ghoststore_connections_refused_total", "counter", "Connections refused because of a limit.",
            totals.connectionsRefused)
        text.single(
            "ghoststore_connections_cut_total", "counter",
            "Connections closed because answers that they did not take held their user's share of memory.",
            totals.connectionsCut)
        text.single("ghoststore_received_bytes_total", "counter", "Bytes received.", totals.receivedBytes)
        text.single(
            "ghoststore_sent_bytes_total", "counter", "Bytes handed to the kernel or queued for it.", totals.sentBytes)
        text.single("ghoststore_watches", "gauge", "Watches running now.", UInt64(clamping: watches))
        text.single("ghoststore_watch_events_total", "counter", "Watch events sent.", totals.watchEvents)
        text.single(
            "ghoststore_memory_budget_bytes", "gauge", "Bytes held by requests and answers under way.",
            UInt64(clamping: memoryBudgetUsedBytes))
    }

    private func writeAudit(to text: inout PrometheusText) {
        text.single("ghoststore_audit_entries_total", "counter", "Audit entries written.", audit.written)
        text.single(
            "ghoststore_audit_entries_dropped_total", "counter", "Audit entries that the journal did not take.",
            audit.dropped)
        text.single(
            "ghoststore_audit_entries_suppressed_total", "counter",
            "Audit entries left out because their user caused too many; their count is in the audit.",
            audit.suppressed)
    }

    private func writeStore(to text: inout PrometheusText) {
        let isOpen = status.state == .open || status.state == .readOnly
        text.single("ghoststore_store_open", "gauge", "1 while the store is open.", isOpen ? 1 : 0)
        text.single(
            "ghoststore_store_read_only", "gauge", "1 while the disk is full.", status.state == .readOnly ? 1 : 0)
        if let statistics {
            text.single("ghoststore_revision", "counter", "The store's revision.", statistics.revision)
            text.single(
                "ghoststore_conversations", "gauge", "Conversations.", UInt64(clamping: statistics.conversationCount))
            text.single("ghoststore_messages", "gauge", "Messages.", UInt64(clamping: statistics.messageCount))
            text.single("ghoststore_contacts", "gauge", "Contacts.", UInt64(clamping: statistics.contactCount))
        }
        text.single("ghoststore_database_bytes", "gauge", "Size of the database file.", status.databaseBytes)
        text.single("ghoststore_wal_bytes", "gauge", "Size of the write-ahead log.", status.walBytes)
        text.single("ghoststore_journal_bytes", "gauge", "Size of the journal's segments.", status.journalBytes)
        text.single(
            "ghoststore_revisions_missing", "gauge",
            "Answered revisions that the last opening was told to do without.", status.revisionsMissing)
        text.single("process_resident_memory_bytes", "gauge", "Resident memory.", status.residentBytes)
        text.family("process_uptime_seconds", "gauge", "Time since the server started.")
        text.sample("process_uptime_seconds", status.uptimeMilliseconds / 1_000)
    }
}

extension MetricsReport {
    private func writeFiles(to text: inout PrometheusText) {
        let areas = status.fileAreas
        text.family("ghoststore_files", "gauge", "Files of the vault, by area.")
        for area in areas {
            text.sample("ghoststore_files", UInt64(clamping: area.usage.fileCount), labels: area.label)
        }
        text.family(
            "ghoststore_file_bytes", "gauge", "Bytes of the files of the vault, by area; copies count in full.")
        for area in areas {
            text.sample("ghoststore_file_bytes", UInt64(clamping: area.usage.byteCount), labels: area.label)
        }
        text.family("ghoststore_file_bytes_max", "gauge", "The most that these may be, of areas that are bounded.")
        for area in areas where area.byteCountMax > 0 {
            text.sample("ghoststore_file_bytes_max", area.byteCountMax, labels: area.label)
        }
    }
}

extension FileAreaUsage {
    fileprivate var label: String { "area=\"\(area.rawValue)\"" }
}

/// The text exposition format 0.0.4
/// (<https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format>).
struct PrometheusText {
    private(set) var text = ""

    mutating func family(_ name: String, _ type: String, _ help: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
    }

    mutating func sample(_ name: String, _ value: UInt64, labels: String = "") {
        text += labels.isEmpty ? "\(name) \(value)\n" : "\(name){\(labels)} \(value)\n"
    }

    mutating func single(_ name: String, _ type: String, _ help: String, _ value: UInt64) {
        family(name, type, help)
        sample(name, value)
    }

    /// - Parameter nanoseconds: written as seconds, exactly.
    mutating func seconds(_ name: String, nanoseconds: UInt64, labels: String) {
        text += "\(name){\(labels)} \(Self.secondsText(nanoseconds))\n"
    }

    mutating func histogram(_ name: String, _ histogram: LatencyHistogram, labels: String) {
        var cumulative: UInt64 = 0
        for (bound, count) in zip(LatencyHistogram.boundsNanoseconds, histogram.counts) {
            cumulative += count
            sample("\(name)_bucket", cumulative, labels: "\(labels),le=\"\(Self.secondsText(bound))\"")
        }
        sample("\(name)_bucket", histogram.count, labels: "\(labels),le=\"+Inf\"")
        seconds("\(name)_sum", nanoseconds: histogram.sumNanoseconds, labels: labels)
        sample("\(name)_count", histogram.count, labels: labels)
    }

    /// Seconds with up to nine decimals, without trailing zeros.
    static func secondsText(_ nanoseconds: UInt64) -> String {
        let whole = nanoseconds / 1_000_000_000
        let fraction = nanoseconds % 1_000_000_000
        guard fraction > 0 else { return "\(whole)" }
        var digits = "\(fraction)"
        digits = String(repeating: "0", count: 9 - digits.count) + digits
        while digits.last == "0" {
            digits.removeLast()
        }
        return "\(whole).\(digits)"
    }
}
