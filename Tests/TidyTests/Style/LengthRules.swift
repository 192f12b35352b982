enum LengthRules {
    static let lineColumnsMax = 120
    static let fileLinesMax = 400
    static let functionLinesMax = 70

    static func longLines(_ source: SwiftSource) -> [Finding] {
        source.lines.enumerated().compactMap { index, line in
            line.utf8.count > lineColumnsMax && line.count > lineColumnsMax
                ? Finding(path: source.path, line: index + 1, message: "\(line.count) columns") : nil
        }
    }

    static func longFile(_ source: SwiftSource) -> [Finding] {
        source.lines.count > fileLinesMax
            ? [Finding(path: source.path, line: 1, message: "\(source.lines.count) lines; split it by subject")] : []
    }

    static func longFunctions(_ source: SwiftSource) -> [Finding] {
        FunctionFinder.functions(in: source).compactMap { function in
            function.lineCount > functionLinesMax && !isTable(function, in: source)
                ? Finding(
                    path: source.path, line: function.line,
                    message: "\(function.name) has \(function.lineCount) lines; split it") : nil
        }
    }

    /// Returns true if the body is one `switch` in which every arm has one line, or one line for the case and one for
    /// the result. Such a function is a table and may be long, because people look up an entry and do not read all of
    /// it.
    private static func isTable(_ function: FoundFunction, in source: SwiftSource) -> Bool {
        let end = function.line + function.lineCount - 2
        let body = source.codeLines[function.line..<end].map { $0.drop { $0 == " " } }
        guard body.first?.hasPrefix("switch ") == true, body.last == "}" else { return false }
        let entries = body.dropFirst().dropLast().joined(separator: "\n") + "\n"
        return entries.wholeMatch(of: /(case \.\w+(\([^{}\n]*\))?:( |\n)(?!case )[^{}\n]+\n)+/) != nil
    }
}
