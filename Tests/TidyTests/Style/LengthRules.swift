/// The bounds that keep a file one subject and a function one screen.
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
            function.lineCount > functionLinesMax
                ? Finding(
                    path: source.path, line: function.line,
                    message: "\(function.name) has \(function.lineCount) lines; split it") : nil
        }
    }
}
