import StoreBasics

/// The figures in the text format of Prometheus (https://prometheus.io/docs/instrumenting/exposition_formats/).
enum MetricsText {
    private static let prefix = "ghoststore_sync_"

    private static let gauges: [AgentFigures.Gauge: String] = [
        .connected: "1 while there is a connection to the stream.",
        .channelsOut: "Channels on which this device publishes.",
        .channelsFollowed: "Channels that this device follows.",
        .waitingChannels: "Channels that wait for room.",
        .unpublishedMessages: "Messages of this device that are not in the stream yet.",
        .forkedChannels: "Channels on which another store publishes as this device.",
        .gappedChannels: "Channels of which the stream has lost what is wanted.",
    ]

    static let counters: [String: String] = [
        "published_messages": "Messages stored in the stream.",
        "published_bytes": "Bytes stored in the stream.",
        "published_again": "Publications that the stream had already.",
        "published_out_of_order": "Publications behind another message than the last one.",
        "handed_in_messages": "Messages handed in to the daemon, by what became of them.",
        "handed_in_bytes": "Bytes handed in to the daemon.",
        "refused_messages": "Messages that the daemon refused, by reason.",
        "waits_messages": "Messages that the daemon could not take yet, by reason.",
        "foreign_messages": "Messages of others in this device's channels, which were passed over.",
        "lost_in_stream": "Times that the stream had lost messages of this device.",
        "connection_failures": "Connections that were not made or ended, by cause.",
        "stream_failures": "Requests to the stream that failed, by cause.",
        "daemon_failures": "Requests to the daemon that failed.",
    ]

    static func text(_ figures: AgentFigures) -> String {
        let snapshot = figures.snapshot
        var lines: [String] = []
        for gauge in AgentFigures.Gauge.allCases {
            lines += head(gauge.rawValue, gauges[gauge] ?? "", "gauge")
            lines.append("\(prefix)\(gauge.rawValue) \(snapshot.gauges[gauge] ?? 0)")
        }
        lines += head("pending_messages", "Messages of followed channels that are still to be delivered.", "gauge")
        lines.append("\(prefix)pending_messages \(snapshot.pending)")
        var told: Set<String> = []
        for (counter, value) in snapshot.counters.sorted(by: { $0.key < $1.key }) {
            let name = counter.name + "_total"
            if told.insert(name).inserted { lines += head(name, counters[counter.name] ?? "", "counter") }
            lines.append("\(prefix)\(name)\(counter.labels.isEmpty ? "" : "{\(counter.labels)}") \(value)")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func head(_ name: String, _ help: String, _ kind: String) -> [String] {
        ["# HELP \(prefix)\(name) \(help)", "# TYPE \(prefix)\(name) \(kind)"]
    }
}
