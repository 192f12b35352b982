import ArgumentParser

/// The formats of lists and results that a command line can request.
enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
    /// Tables for people.
    case table
    /// One JSON object per line; `jsonl` is another name for it.
    case json
    case jsonl
    /// A heading of field names, then one line per row, separated by commas (RFC 4180).
    case csv
    /// Like `csv`, but separated by tabs.
    case tsv
}

/// The form in which a command writes its results.
enum OutputForm {
    /// Tables and sentences.
    case people
    /// Lists consist of names, one per line. Nothing is printed about what was done.
    case names
    /// One JSON object per line.
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

/// A format for lines of cells that programs read.
enum SeparatedValues {
    case commas
    case tabs

    func line(_ cells: [String]) -> String {
        switch self {
        case .commas: cells.map(Self.quoted).joined(separator: ",")
        case .tabs: cells.map(Self.escaped).joined(separator: "\t")
        }
    }

    /// Returns a cell in quotes if it contains a character that would end a cell or a line. Quotes inside are doubled.
    private static func quoted(_ cell: String) -> String {
        let isPlain = cell.utf8.allSatisfy { byte in
            byte != UInt8(ascii: ",") && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\n")
                && byte != UInt8(ascii: "\r")
        }
        guard !isPlain else { return cell }
        // Compared by scalars: a quote followed by a combining mark is one Character that differs from a quote.
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

    /// Returns a cell in the text format of PostgreSQL's COPY: a backslash before a character that would end a cell or
    /// a line.
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
