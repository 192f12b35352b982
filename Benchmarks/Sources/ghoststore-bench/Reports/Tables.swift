/// Formats numbers for people, independently of the locale.
enum Numbers {
    /// Rounds a number and groups its digits: `12,345`.
    static func grouped(_ value: Double) -> String {
        let digits = String(Int(value.rounded()))
        var result = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3), digits.first != "-" || index > 1 {
                result.append(",")
            }
            result.append(digit)
        }
        return result
    }

    /// Formats a number with a fixed number of decimals: `1.23`.
    static func fixed(_ value: Double, decimals: Int) -> String {
        var scale = 1.0
        for _ in 0..<decimals {
            scale *= 10
        }
        let scaled = Int((abs(value) * scale).rounded())
        let whole = scaled / Int(scale)
        guard decimals > 0 else { return (value < 0 ? "-" : "") + String(whole) }
        let fraction = String(scaled % Int(scale))
        let zeros = String(repeating: "0", count: decimals - fraction.count)
        return (value < 0 ? "-" : "") + "\(whole).\(zeros)\(fraction)"
    }

    /// Formats a number with about three digits: `8.12`, `81.2`, `8,123`.
    static func plain(_ value: Double) -> String {
        switch abs(value) {
        case ..<10: fixed(value, decimals: 2)
        case ..<100: fixed(value, decimals: 1)
        default: grouped(value)
        }
    }
}

/// Aligns columns of text.
enum TextTable {
    /// Adds spaces up to a width: on the right for a positive width, on the left for a negative one.
    static func padded(_ text: String, to width: Int) -> String {
        let filler = String(repeating: " ", count: max(0, abs(width) - text.count))
        return width < 0 ? filler + text : text + filler
    }

    /// - Parameter rows: the header and the other rows, all with the same number of cells.
    static func aligned(_ rows: [[String]], rightAligned: Set<Int>) -> [String] {
        guard let header = rows.first else { return [] }
        let widths = header.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            row.enumerated().map { column, cell in
                padded(cell, to: rightAligned.contains(column) ? -widths[column] : widths[column])
            }.joined(separator: "  ")
        }
    }

    static func markdown(_ rows: [[String]], rightAligned: Set<Int>) -> String {
        guard let header = rows.first else { return "" }
        let rule = header.indices.map { rightAligned.contains($0) ? "---:" : "---" }
        return ([header, rule] + rows.dropFirst()).map { "| " + $0.joined(separator: " | ") + " |\n" }.joined()
    }
}

/// Formats measurements as rows of a table for a terminal.
enum MeasurementTable {
    private static let widths = [14, 8, 12, 10, 10, 10, 10, 10]

    static let header = line([
        "scenario", "clients", "requests/s", "p50 µs", "p90 µs", "p99 µs", "p99.9 µs", "max µs",
    ])

    static func line(_ measurement: Measurement) -> String {
        line(
            [
                measurement.scenario, "\(measurement.clients)", Numbers.grouped(measurement.requestsPerSecond),
            ] + cells(measurement.latencyMicroseconds))
    }

    /// Returns a line for the whole measurement. If it mixes kinds of requests, adds a line for each kind.
    static func lines(_ measurement: Measurement) -> [String] {
        let kinds = (measurement.latencyMicrosecondsByKind ?? [:]).sorted { $0.key < $1.key }
        return [line(measurement)]
            + kinds.map { kind, latency in
                let requestsPerSecond = Double(latency.count) / measurement.seconds
                return line(["  \(kind)", "", Numbers.grouped(requestsPerSecond)] + cells(latency))
            }
    }

    private static func cells(_ latency: LatencySummary) -> [String] {
        [latency.p50, latency.p90, latency.p99, latency.p999, latency.max].map(Numbers.plain)
    }

    private static func line(_ cells: [String]) -> String {
        zip(cells, widths).enumerated().map { index, cell in
            index == 0 ? TextTable.padded(cell.0, to: cell.1) : TextTable.padded(cell.0, to: -cell.1)
        }.joined(separator: " ")
    }
}
