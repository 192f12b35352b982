import StoreBasics

/// The figures in the text format of Prometheus (https://prometheus.io/docs/instrumenting/exposition_formats/).
enum MetricsText {
    private static let prefix = "ghoststore_sync_"

    static func text(_ figures: AgentFigures) -> String {
        let snapshot = figures.snapshot
        var lines: [String] = []
        for gauge in AgentFigures.Gauge.allCases {
            lines += head(gauge.rawValue, gauge.help, "gauge")
            lines.append("\(prefix)\(gauge.rawValue) \(snapshot.gauges[gauge] ?? 0)")
        }
        lines += head("pending_messages", "Messages of followed channels that are not delivered yet.", "gauge")
        lines.append("\(prefix)pending_messages \(snapshot.pending)")
        var told: Set<String> = []
        for (counter, value) in snapshot.counters.sorted(by: { $0.key < $1.key }) {
            let name = counter.total.rawValue + "_total"
            if told.insert(name).inserted { lines += head(name, counter.total.help, "counter") }
            lines.append("\(prefix)\(name)\(counter.labels.isEmpty ? "" : "{\(counter.labels)}") \(value)")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func head(_ name: String, _ help: String, _ kind: String) -> [String] {
        ["# HELP \(prefix)\(name) \(help)", "# TYPE \(prefix)\(name) \(kind)"]
    }
}

extension AgentFigures.Gauge {
    fileprivate var help: String {
        switch self {
        case .connected: "1 while the agent is connected to the stream."
        case .channelsOut: "Channels on which this device publishes."
        case .channelsFollowed: "Channels that this device follows."
        case .waitingChannels: "Channels that the agent does not use yet because limits.channels_max is reached."
        case .unpublishedMessages: "Messages of this device that are not in the stream yet."
        case .forkedChannels: "Channels on which another store publishes as this device."
        case .gappedChannels: "Channels in which the stream has lost messages that this device still needs."
        }
    }
}

extension AgentFigures.Total {
    fileprivate var help: String {
        switch self {
        case .publishedMessages: "Messages stored in the stream."
        case .publishedBytes: "Bytes stored in the stream."
        case .publishedAgain: "Messages sent again that the stream already had."
        case .publishedOutOfOrder: "Messages that the stream refused because they did not follow its last message."
        case .handedInMessages: "Messages that the agent passed to the daemon, by result."
        case .handedInBytes: "Bytes of the messages that the agent passed to the daemon."
        case .refusedMessages: "Messages that the daemon refused, by reason."
        case .waitsMessages: "Messages that the daemon could not accept yet, by reason."
        case .foreignMessages: "Messages of other clients in this device's channels, which were ignored."
        case .lostInStream: "Number of times that the agent found that the stream had lost messages of this device."
        case .connectionFailures: "Connections that failed or ended, by cause."
        case .streamFailures: "Requests to the stream that failed, by cause."
        case .daemonFailures: "Requests to the daemon that failed."
        }
    }
}
