/// The limit that a measured value must respect.
struct Goal: Codable, Sendable {
    enum Direction: String, Codable, Sendable { case atLeast, atMost }

    var direction: Direction
    var limit: Double
    /// The unit of the limit: `×` for a ratio, otherwise the unit of the value.
    var unit: String

    static func ratio(atLeast limit: Double) -> Goal { Goal(direction: .atLeast, limit: limit, unit: "×") }
    static func ratio(atMost limit: Double) -> Goal { Goal(direction: .atMost, limit: limit, unit: "×") }
    static func atMost(_ limit: Double, _ unit: String) -> Goal { Goal(direction: .atMost, limit: limit, unit: unit) }

    func isMet(by value: Double) -> Bool {
        direction == .atLeast ? value >= limit : value <= limit
    }

    var text: String {
        let tenths = limit * 10
        let number =
            unit == "×"
            ? Numbers.fixed(limit, decimals: tenths == tenths.rounded() ? 1 : 2) : Numbers.grouped(limit) + " "
        return (direction == .atLeast ? "≥ " : "≤ ") + number + unit
    }
}

/// A measured row of the performance budget (docs/performance.md).
struct BudgetRow: Codable, Sendable {
    var work: String
    var against: String
    var unit: String
    /// The median over the rounds.
    var ours: Double
    /// The median over the rounds, or `nil` if the daemon is not compared with a peer.
    var peer: Double?
    /// The values of all rounds, in order.
    var oursByRound: [Double]
    var peerByRound: [Double]
    /// The limit for `ours`, or for the ratio of `ours` to `peer`. `nil` if there is no limit.
    var goal: Goal?

    init(
        _ work: String, against: String = "–", unit: String, ours: [Double], peer: [Double] = [], goal: Goal? = nil
    ) {
        self.work = work
        self.against = against
        self.unit = unit
        self.ours = ours.median
        self.peer = peer.isEmpty ? nil : peer.median
        oursByRound = ours
        peerByRound = peer
        self.goal = goal
    }

    var ratio: Double? {
        peer.map { ours / $0 }
    }

    var isMet: Bool? {
        goal.map { $0.isMet(by: ratio ?? ours) }
    }

    /// The cells of the row: work, against, ours, peer, ratio, goal, result.
    var cells: [String] {
        [
            work, against, "\(Numbers.plain(ours)) \(unit)", peer.map { "\(Numbers.plain($0)) \(unit)" } ?? "–",
            ratio.map { Numbers.fixed($0, decimals: 2) + "×" } ?? "–", goal?.text ?? "–",
            isMet.map { $0 ? "met" : "missed" } ?? "–",
        ]
    }

    static let header = ["work", "against", "ghoststored", "peer", "ratio", "goal", "result"]
    static let rightAligned: Set<Int> = [2, 3, 4, 5]
}

/// The report that `compare --json` writes.
struct ComparisonReport: Codable, Sendable {
    var machine: Machine
    /// The versions of the peers, by name.
    var peers: [String: String]
    var rounds: Int
    var secondsPerMeasurement: Double
    var bigStoreMessages: Int
    var budget: [BudgetRow]
    /// Single runs of the daemon that have no goal.
    var measurements: [Measurement]
    var failedParts: [String]
}

/// Formats a comparison as text, for a terminal and for docs/performance.md.
enum ComparisonText {
    static func table(_ report: ComparisonReport) -> String {
        let rows = [BudgetRow.header] + report.budget.map(\.cells)
        var lines = TextTable.aligned(rows, rightAligned: BudgetRow.rightAligned)
        if !report.measurements.isEmpty {
            lines += ["", MeasurementTable.header] + report.measurements.map(MeasurementTable.line)
        }
        return lines.joined(separator: "\n")
    }

    static func markdown(_ report: ComparisonReport) -> String {
        let machine = report.machine
        var text = """
            \(machine.processor), \(machine.coreCount) cores, \(machine.memoryMebibytes / 1_024) GiB, \
            Linux \(machine.kernel), \(machine.system). \(versions(report))Medians of \(report.rounds) rounds of \
            \(Numbers.plain(report.secondsPerMeasurement)) s each, in alternation.


            """
        text += TextTable.markdown(
            [BudgetRow.header] + report.budget.map(\.cells), rightAligned: BudgetRow.rightAligned)
        if !report.measurements.isEmpty {
            text += "\n" + TextTable.markdown(measurementRows(report), rightAligned: [1, 2, 3, 4, 5, 6])
        }
        return text
    }

    private static func versions(_ report: ComparisonReport) -> String {
        let names = report.peers.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return names.isEmpty ? "" : names.joined(separator: ", ") + ". "
    }

    private static func measurementRows(_ report: ComparisonReport) -> [[String]] {
        [["scenario", "clients", "requests/s", "p50 µs", "p90 µs", "p99 µs", "p99.9 µs"]]
            + report.measurements.map { measurement in
                let latency = measurement.latencyMicroseconds
                return [
                    measurement.scenario, "\(measurement.clients)", Numbers.grouped(measurement.requestsPerSecond),
                    Numbers.plain(latency.p50), Numbers.plain(latency.p90), Numbers.plain(latency.p99),
                    Numbers.plain(latency.p999),
                ]
            }
    }
}
