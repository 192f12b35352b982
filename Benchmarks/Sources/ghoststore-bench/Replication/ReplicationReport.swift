/// The report that `replication --json` writes.
struct ReplicationReport: Codable, Sendable {
    var machine: Machine
    var natsVersion: String
    var serverCount: Int
    /// True if everything that would be on other machines in real use had the lowest priority.
    var othersYield: Bool
    /// The system's load average of the last minute before the first part.
    var loadAverage: Double
    var latencies: [GroupLatencyRow] = []
    var throughputs: [GroupThroughputRow] = []
    var catchUps: [CatchUpRow] = []
    /// The costs with as many saves as possible, while all programs may use the whole machine.
    var costs: [SaveCostRow] = []
    /// The costs with a fixed number of saves per second.
    var pacedCosts: [SaveCostRow] = []
    /// The costs if the clients and their daemon share one processor, and everything else uses the other processors.
    var pinnedCosts: [SaveCostRow] = []

    /// The tables of the measured parts, each with its header.
    var tables: [[[String]]] {
        var tables: [[[String]]] = []
        if !latencies.isEmpty { tables.append([GroupLatencyRow.header] + latencies.map(\.cells)) }
        if !throughputs.isEmpty { tables.append([GroupThroughputRow.header] + throughputs.map(\.cells)) }
        if !catchUps.isEmpty { tables.append([CatchUpRow.header] + catchUps.map(\.cells)) }
        if !costs.isEmpty { tables.append([SaveCostRow.header()] + costs.map(\.cells)) }
        if !pacedCosts.isEmpty { tables.append([SaveCostRow.header("paced")] + pacedCosts.map(\.cells)) }
        if !pinnedCosts.isEmpty { tables.append([SaveCostRow.header("pinned")] + pinnedCosts.map(\.cells)) }
        return tables
    }

    var text: String {
        tables.map { rows in
            TextTable.aligned(rows, rightAligned: Self.numbers(rows)).joined(separator: "\n")
        }.joined(separator: "\n\n")
    }

    var markdown: String {
        tables.map { rows in
            TextTable.markdown(rows, rightAligned: Self.numbers(rows))
        }.joined(separator: "\n")
    }

    private static func numbers(_ rows: [[String]]) -> Set<Int> {
        Set((rows.first ?? []).indices.dropFirst())
    }
}

/// The latency from the `send` of a save on one device to the last byte of its event at a watcher on another device.
struct GroupLatencyRow: Codable, Sendable {
    var work: String
    var latencyMicroseconds: LatencySummary

    static let header = ["save to watch", "samples", "p50 ms", "p90 ms", "p99 ms", "max ms"]

    var cells: [String] {
        let latency = latencyMicroseconds
        return [work, Numbers.grouped(Double(latency.count))]
            + [latency.p50, latency.p90, latency.p99, latency.max].map { Numbers.plain($0 / 1_000) }
    }
}

/// The saves of some seconds, and the time until all devices have received the saved messages.
struct GroupThroughputRow: Codable, Sendable {
    var work: String
    var messages: Int
    var savedPerSecond: Double
    /// The time from the end of the saves until all devices had all messages.
    var behindSeconds: Double
    /// The messages divided by the time from the first save until all devices had all messages.
    var messagesPerSecond: Double

    static let header = ["throughput", "messages", "saves/s", "behind s", "messages/s end to end"]

    var cells: [String] {
        [
            work, Numbers.grouped(Double(messages)), Numbers.grouped(savedPerSecond),
            Numbers.fixed(behindSeconds, decimals: 2), Numbers.grouped(messagesPerSecond),
        ]
    }
}

struct CatchUpRow: Codable, Sendable {
    var work: String
    var messages: Int
    var seconds: Double

    static let header = ["catch-up", "messages", "seconds", "messages/s"]

    var cells: [String] {
        [
            work, Numbers.grouped(Double(messages)), Numbers.fixed(seconds, decimals: 2),
            Numbers.grouped(Double(messages) / max(seconds, 0.001)),
        ]
    }
}

/// The cost of saves in one of the stores.
struct SaveCostRow: Codable, Sendable {
    var store: String
    var clients: Int
    /// The requested saves per second, or `nil` for as many as possible.
    var askedPerSecond: Int?
    var roundCount: Int
    /// The medians of the rounds.
    var savesPerSecond: Double
    var p50Microseconds: Double
    var p99Microseconds: Double
    var daemonMicrosecondsPerSave: Double
    /// The time from the last save until the other device had all messages, or 0 without another device.
    var behindSeconds: Double
    /// The median of the ratios of all rounds. A ratio is this store's value divided by the value of the store without
    /// a group in the same round.
    var savesRatio: Double
    var p50Ratio: Double
    var p99Ratio: Double
    /// The ratio of the saves per second in each round, in order.
    var roundRatios: [Double]

    /// - Parameter arrangement: the word that distinguishes this table, such as `paced`, or an empty text for the
    ///   measurement without limits.
    static func header(_ arrangement: String = "") -> [String] {
        [
            "saves of a store" + (arrangement.isEmpty ? "" : ", \(arrangement)"), "clients", "saves/s", "ratio",
            "p50 µs", "ratio", "p99 µs", "ratio", "daemon's CPU time, µs", "behind s",
        ]
    }

    var cells: [String] {
        [
            store, "\(clients)", Numbers.grouped(savesPerSecond), Numbers.fixed(savesRatio, decimals: 2) + "×",
            Numbers.plain(p50Microseconds), Numbers.fixed(p50Ratio, decimals: 2) + "×",
            Numbers.plain(p99Microseconds), Numbers.fixed(p99Ratio, decimals: 2) + "×",
            Numbers.plain(daemonMicrosecondsPerSave), Numbers.fixed(behindSeconds, decimals: 2),
        ]
    }
}
