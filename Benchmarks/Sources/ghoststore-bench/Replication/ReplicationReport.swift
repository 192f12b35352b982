/// What `replication --json` writes.
struct ReplicationReport: Codable, Sendable {
    var machine: Machine
    var natsVersion: String
    var serverCount: Int
    /// Whether what would be on other machines had the lowest priority.
    var othersYield: Bool
    /// Of the last minute before the first part.
    var loadAverage: Double
    var latencies: [GroupLatencyRow] = []
    var throughputs: [GroupThroughputRow] = []
    var catchUps: [CatchUpRow] = []
    /// With as many saves as go, and all of the machine for all.
    var costs: [SaveCostRow] = []
    /// With so many saves a second.
    var pacedCosts: [SaveCostRow] = []
    /// With a processor for the clients and their daemon, and the others for all else.
    var pinnedCosts: [SaveCostRow] = []

    /// The tables of the parts that were measured, each with its header.
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

/// From a save's `send` on one device to a watcher's last byte of its event on another.
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

/// Saves of some seconds, and when all devices had them.
struct GroupThroughputRow: Codable, Sendable {
    var work: String
    var messages: Int
    var savedPerSecond: Double
    /// From the end of the saves until all devices had all of them.
    var behindSeconds: Double
    /// Messages by all of the time.
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

/// What saves cost in one of the stores.
struct SaveCostRow: Codable, Sendable {
    var store: String
    var clients: Int
    /// `nil`: as many as go.
    var askedPerSecond: Int?
    var roundCount: Int
    /// Medians of the rounds.
    var savesPerSecond: Double
    var p50Microseconds: Double
    var p99Microseconds: Double
    var daemonMicrosecondsPerSave: Double
    /// From the last save until the other device had all; 0 where none follows.
    var behindSeconds: Double
    /// Median of the rounds' ratios to the store without a group in the same round.
    var savesRatio: Double
    var p50Ratio: Double
    var p99Ratio: Double
    /// Of the saves, in order.
    var roundRatios: [Double]

    /// - Parameter arrangement: what is not as it is by itself.
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
