/// Measurements as lines of a table for a terminal.
enum MeasurementTable {
    private static let widths = [14, 8, 12, 10, 10, 10, 10, 10]

    static let header = line([
        "scenario", "clients", "requests/s", "p50 µs", "p90 µs", "p99 µs", "p99.9 µs", "max µs",
    ])

    static func line(_ measurement: Measurement) -> String {
        let latency = measurement.latencyMicroseconds
        return line([
            measurement.scenario, "\(measurement.clients)", Numbers.grouped(measurement.requestsPerSecond),
            Numbers.plain(latency.p50), Numbers.plain(latency.p90), Numbers.plain(latency.p99),
            Numbers.plain(latency.p999), Numbers.plain(latency.max),
        ])
    }

    private static func line(_ cells: [String]) -> String {
        zip(cells, widths).enumerated().map { index, cell in
            index == 0 ? TextTable.padded(cell.0, to: cell.1) : TextTable.padded(cell.0, to: -cell.1)
        }.joined(separator: " ")
    }
}
