/// Rules that choose one form where Swift allows several.
enum DialectRules {
    static func all(_ source: SwiftSource) -> [Finding] {
        testNames(source) + imports(source) + marks(source) + guards(source) + bareNil(source)
    }

    /// Returns a finding for each display name, and for each test whose function is not named in words.
    static func testNames(_ source: SwiftSource) -> [Finding] {
        guard source.codeLines.contains(where: { $0.holds("@Test") || $0.holds("@Suite") }) else { return [] }
        let code = source.codeLines.joined(separator: "\n")
        return code.matches(of: /@(Test|Suite)\b(\(\s*#*")?/).compactMap { match in
            let line = code[..<match.range.lowerBound].count { $0 == "\n" } + 1
            if match.2 != nil {
                return Finding(path: source.path, line: line, message: "a display string; the name says it")
            }
            guard match.1 == "Test", let function = code[match.range.upperBound...].firstMatch(of: /\bfunc\s+(\S)/),
                function.1 != "`"
            else { return nil }
            return Finding(path: source.path, line: line, message: "a test's name is words: func `a log is full`()")
        }
    }

    /// Returns a finding for each `internal import`, because imports are internal by default in this package.
    static func imports(_ source: SwiftSource) -> [Finding] {
        source.findings(/\binternal\s+import\b/, hint: "internal", "an import is internal anyway")
    }

    static func marks(_ source: SwiftSource) -> [Finding] {
        comments(source, /\/\/ MARK: -/, hint: "MARK", "MARK without a dash")
    }

    /// Returns a finding for each guard that has three lines although its single short statement fits on one.
    static func guards(_ source: SwiftSource) -> [Finding] {
        let lines = source.codeLines
        return lines.indices.dropLast(2).compactMap { index in
            guard lines[index].hasSuffix("else {"), lines[index].contains(/^\s*(?:guard\b|else \{)/),
                lines[index + 2].drop(while: \.isWhitespace) == "}", !source.commentLines[index + 1].contains("//")
            else { return nil }
            let statement = source.lines[index + 1].drop(while: \.isWhitespace)
            guard !statement.isEmpty, !statement.hasSuffix("{"), !statement.hasSuffix("("),
                source.lines[index].count + statement.count + 3 <= LengthRules.lineColumnsMax
            else { return nil }
            return Finding(path: source.path, line: index + 1, message: "a guard on three lines that fits one")
        }
    }

    /// Returns a finding for each `nil` without backticks in a doc comment.
    static func bareNil(_ source: SwiftSource) -> [Finding] {
        guard source.commentLines.contains(where: { $0.holds("nil") }) else { return [] }
        let bare = /(?:^|[\s(])nil(?:[\s.,;)]|$)/
        var isFenced = false
        return source.commentLines.enumerated().compactMap { index, line in
            guard line.holds("///"), let text = line.firstMatch(of: /^\s*\/\/\/ ?(.*)$/)?.1 else { return nil }
            if text.hasPrefix("```") { isFenced.toggle() }
            let spans = text.split(separator: "`", omittingEmptySubsequences: false)
            // With an odd number of backticks a code span continues on the next line, so this line is skipped.
            guard !isFenced, !text.hasPrefix("    "), spans.count % 2 == 1,
                spans.enumerated().contains(where: { $0 % 2 == 0 && $1.contains(bare) })
            else { return nil }
            return Finding(path: source.path, line: index + 1, message: "nil without backticks")
        }
    }

    private static func comments(
        _ source: SwiftSource, _ pattern: Regex<Substring>, hint: String, _ message: String
    ) -> [Finding] {
        source.commentLines.enumerated().compactMap { index, line in
            line.holds(hint) && line.contains(pattern)
                ? Finding(path: source.path, line: index + 1, message: message) : nil
        }
    }
}
