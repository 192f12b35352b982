/// The rule that error messages begin in lower case and end without a full stop, because one message may become part of
/// another.
enum MessageRule {
    /// The number of lines, from the beginning of an error, that may contain its message.
    private static let reach = 4

    static func findings(_ source: SwiftSource) -> [Finding] {
        source.codeLines.indices.flatMap { index -> [Finding] in
            let code = source.codeLines[index]
            guard ["Error(", "Failure(", "Problem("].contains(where: code.holds), !code.holds("func ") else {
                return []
            }
            let texts = literals(source, from: index)
            var findings: [Finding] = []
            if let first = texts.first, first.text.prefixMatch(of: /[A-Z][a-z]+[ :,]/) != nil {
                findings.append(Finding(path: source.path, line: first.line, message: "a message begins in lower case"))
            }
            for literal in texts where literal.text.contains(/[^.]\.$|\.;/) {
                findings.append(Finding(path: source.path, line: literal.line, message: "a message has no full stop"))
            }
            return findings
        }
    }

    /// Returns the texts between quotes in the lines of an error, up to the end of the statement.
    private static func literals(_ source: SwiftSource, from index: Int) -> [(line: Int, text: String)] {
        var found: [(Int, String)] = []
        for line in index..<min(index + reach, source.lines.count) {
            let code = source.codeLines[line]
            if line > index, code.holds("throw ") || code.holds("return ") || code.holds("case ") {
                break
            }
            for match in source.lines[line].matches(of: /"((?:[^"\\]|\\.)*)"/) {
                found.append((line + 1, String(match.output.1)))
            }
        }
        return found
    }
}
