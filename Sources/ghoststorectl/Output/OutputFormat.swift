import ArgumentParser

/// How what is listed or told is written.
enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
    /// For people.
    case table
    /// An object a line; `jsonl` is another name of it.
    case json
    case jsonl
    /// A heading of field names, then a line a row, separated by commas (RFC 4180).
    case csv
    /// The same separated by tabs.
    case tsv
}

/// In which form a command writes what it has found.
enum OutputForm {
    /// Tables and sentences.
    case people
    /// Of lists the names alone, a line each, and nothing about what was done.
    case names
    /// An object a line.
    case objects
    /// Rows of cells for programs.
    case rows(SeparatedValues)

    init(_ format: OutputFormat) {
        self =
            switch format {
            case .table: .people
            case .json, .jsonl: .objects
            case .csv: .rows(.commas)
            case .tsv: .rows(.tabs)
            }
    }
}

/// Lines of cells that programs take apart again.
enum SeparatedValues {
    case commas
    case tabs

    func line(_ cells: [String]) -> String {
        switch self {
        case .commas: cells.map(Self.quoted).joined(separator: ",")
        case .tabs: cells.map(Self.escaped).joined(separator: "\t")
        }
    }

    /// Quotes around what would end a cell or a line, each one within doubled.
    private static func quoted(_ cell: String) -> String {
        let isPlain = cell.utf8.allSatisfy { byte in
            byte != UInt8(ascii: ",") && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\n")
                && byte != UInt8(ascii: "\r")
        }
        guard !isPlain else { return cell }
        // Scalar by scalar: a quote and the mark behind it are one Character, and no quote.
        var quoted = "\"".unicodeScalars
        for scalar in cell.unicodeScalars {
            quoted.append(scalar)
            if scalar == "\"" {
                quoted.append(scalar)
            }
        }
        quoted.append("\"")
        return String(quoted)
    }

    /// The text format of PostgreSQL's COPY: a backslash before what would end a cell or a line.
    private static func escaped(_ cell: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in cell.unicodeScalars {
            switch scalar {
            case "\\": result.append(contentsOf: "\\\\".unicodeScalars)
            case "\t": result.append(contentsOf: "\\t".unicodeScalars)
            case "\n": result.append(contentsOf: "\\n".unicodeScalars)
            case "\r": result.append(contentsOf: "\\r".unicodeScalars)
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}
