import StoreClient

/// The contents of `top`: the activity of the daemon between two readings of its metrics.
struct TopScreen {
    let status: Status
    /// The metrics of the later reading.
    let metrics: MetricsSnapshot
    private let calls: [CallActivity]
    private let receivedPerSecond: Double
    private let sentPerSecond: Double

    init(_ status: Status, _ now: MetricsSnapshot, since before: MetricsSnapshot) {
        self.status = status
        metrics = now
        let elapsed = (now.takenAt - before.takenAt).components
        let seconds = Double(elapsed.seconds) + Double(elapsed.attoseconds) / 1e18
        calls = now.calls.map { name, call in
            CallActivity(name, call, since: before.calls[name] ?? MetricsSnapshot.Call(), seconds: seconds)
        }
        .filter { $0.total > 0 }
        .sorted { ($1.perSecond, $1.total, $0.name) < ($0.perSecond, $0.total, $1.name) }
        func rate(_ name: String) -> Double {
            let rate = max(0, now.value(name) - before.value(name)) / seconds
            return rate.isFinite ? rate : 0
        }
        receivedPerSecond = rate("ghoststore_received_bytes_total")
        sentPerSecond = rate("ghoststore_sent_bytes_total")
    }

    private var requestsPerSecond: Double {
        calls.reduce(0) { $0 + $1.perSecond }
    }

    static let record = RecordForm(name: "at_microseconds", ["at_microseconds"])

    var json: JSONObject {
        [
            "at_microseconds": Timestamp.now.microseconds,
            "store_state": status.storeState.word,
            "uptime_milliseconds": status.uptimeMilliseconds,
            "revision": status.revision,
            "connection_count": status.connectionCount,
            "watch_count": metrics.bytes("ghoststore_watches"),
            "resident_bytes": status.residentBytes,
            "memory_budget_bytes": metrics.bytes("ghoststore_memory_budget_bytes"),
            "database_bytes": status.databaseBytes,
            "wal_bytes": status.walBytes,
            "journal_bytes": status.journalBytes,
            "requests_per_second": DecimalText(requestsPerSecond),
            "received_bytes_per_second": DecimalText(receivedPerSecond),
            "sent_bytes_per_second": DecimalText(sentPerSecond),
            "calls": calls.map(\.json),
        ]
    }

    /// - Parameter rowsMax: The number of lines of the terminal; `nil` for all lines.
    func lines(_ style: DisplayStyle, rowsMax: Int?) -> [String] {
        func size(_ bytes: UInt64) -> String { Quantity.bytes(bytes) }
        func rate(_ bytes: Double) -> String { "\(Quantity.bytes(UInt64(saturating: bytes)))/s" }
        let budget = size(metrics.bytes("ghoststore_memory_budget_bytes"))
        let head = [
            "ghoststored \(DisplayText.neutralized(status.serverVersion))  \(status.storeState.word)"
                + "  revision \(status.revision)"
                + "  up \(Quantity.duration(milliseconds: status.uptimeMilliseconds))",
            "clients \(status.connectionCount)  watches \(metrics.bytes("ghoststore_watches"))"
                + "  requests \(Quantity.tenths(requestsPerSecond))/s"
                + "  in \(rate(receivedPerSecond))  out \(rate(sentPerSecond))",
            "memory \(size(status.residentBytes)), for requests \(budget)  database \(size(status.databaseBytes))"
                + "  WAL \(size(status.walBytes))  journal \(size(status.journalBytes))",
            "",
        ]
        let rows = calls.prefix(rowsMax.map { max(1, $0 - head.count - 2) } ?? .max).map(\.cells)
        let table = TableLayout(CallActivity.columns, rows: Array(rows), style: style)
        let fitted = style.columnsMax.map { columns in
            head.map { DisplayWidth.truncated($0, toColumns: columns) }
        }
        return (fitted ?? head) + [table.heading] + rows.map(table.line)
    }
}
