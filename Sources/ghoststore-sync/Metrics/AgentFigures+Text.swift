import StoreBasics

extension AgentFigures {
    /// The metrics in the text format of Prometheus.
    var text: String {
        let (gauges, counters, pending) = snapshot
        var text = MetricsText(.prometheus)
        for gauge in Gauge.allCases {
            text.single(Self.prefix + gauge.rawValue, .gauge, gauge.help, gauges[gauge] ?? 0)
        }
        text.single(
            Self.prefix + "pending_messages", .gauge,
            "Messages of followed channels that the stream has not delivered to the agent yet.", pending)
        var family: Total?
        for (counter, value) in counters.sorted(by: { $0.key < $1.key }) {
            if counter.total != family {
                text.family(Self.prefix + counter.total.rawValue, .counter, counter.total.help)
                family = counter.total
            }
            text.sample(value, counter.labels)
        }
        return text.finished()
    }

    private static let prefix = "ghoststore_sync_"
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
        case .publishedMessages: "Messages that the agent stored in the stream."
        case .publishedBytes: "Bytes of the messages that the agent stored in the stream."
        case .publishedAgain: "Messages that the agent sent again although the stream already had them."
        case .publishedOutOfOrder:
            "Messages that the stream refused because the last message of the channel was not the expected one."
        case .handedInMessages: "Messages that the agent passed to the daemon, by result."
        case .handedInBytes: "Bytes of the messages that the agent passed to the daemon."
        case .refusedMessages: "Messages that the daemon refused, by reason."
        case .waitsMessages: "Messages that the daemon could not accept yet, by reason."
        case .foreignMessages: "Ignored messages that other clients put into this device's channels."
        case .lostInStream: "Number of times that the agent found that the stream had lost messages of this device."
        case .connectionFailures: "Connections to the stream that failed or ended, by cause."
        case .streamFailures: "Requests to the stream that failed, by cause."
        case .daemonFailures: "Requests to the daemon that failed."
        }
    }
}
