/// Columns of text.
enum TextTable {
    /// Fills up with spaces: on the right for a positive width, on the left for a negative one.
    static func padded(_ text: String, to width: Int) -> String {
        let filler = String(repeating: " ", count: max(0, abs(width) - text.count))
        return width < 0 ? filler + text : text + filler
    }

    /// - Parameter rows: the first one is the header; all have the same number of cells.
    static func aligned(_ rows: [[String]], rightAligned: Set<Int>) -> [String] {
        guard let header = rows.first else {
            return []
        }
        let widths = header.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            row.enumerated().map { column, cell in
                padded(cell, to: rightAligned.contains(column) ? -widths[column] : widths[column])
            }.joined(separator: "  ")
        }
    }

    static func markdown(_ rows: [[String]], rightAligned: Set<Int>) -> String {
        guard let header = rows.first else {
            return ""
        }
        let rule = header.indices.map { rightAligned.contains($0) ? "---:" : "---" }
        return ([header, rule] + rows.dropFirst()).map { "| " + $0.joined(separator: " | ") + " |\n" }.joined()
    }
}
