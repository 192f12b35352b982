/// A comparison as text: for a terminal, and for docs/performance.md.
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
