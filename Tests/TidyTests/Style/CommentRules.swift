/// Rules for comments: reasons that they must give, and content that they must not have.
enum CommentRules {
    /// The number of lines above and below an `@unchecked Sendable` that may contain its reason.
    static let reasonLinesAboveMax = 8
    static let reasonLinesBelowMax = 3

    /// Returns a finding for each `@unchecked Sendable` without a comment that says "because".
    static func unexplainedSendable(_ source: SwiftSource) -> [Finding] {
        source.findings(
            /@unchecked\s+Sendable/, hint: "@unchecked", "@unchecked Sendable without a comment that says \"because …\""
        )
        .filter { finding in
            let first = max(0, finding.line - 1 - reasonLinesAboveMax)
            let last = min(source.lines.count, finding.line + reasonLinesBelowMax)
            return !source.commentLines[first..<last].joined(separator: " ").contains(/\b[Bb]ecause\b/)
        }
    }

    /// Returns a finding for each `nonisolated(unsafe)` without a comment on its line or on the three lines above.
    static func unexplainedGlobal(_ source: SwiftSource) -> [Finding] {
        source.findings(
            /nonisolated\(unsafe\)/, hint: "nonisolated",
            "nonisolated(unsafe) without a comment that says what guards it"
        )
        .filter { finding in
            let above = source.commentLines[max(0, finding.line - 4)..<finding.line]
            return !above.contains { $0.contains("//") }
        }
    }

    /// Returns a finding for each reminder. Open work belongs to the tracker.
    static func leftovers(_ source: SwiftSource) -> [Finding] {
        let reminder = /\b(?:TODO|FIXME|XXX|HACK)\b/
        return source.commentLines.enumerated().compactMap { index, line in
            ["TODO", "FIXME", "XXX", "HACK"].contains(where: line.holds) && line.contains(reminder)
                ? Finding(path: source.path, line: index + 1, message: "a reminder in a comment") : nil
        }
    }

    /// Returns a finding for each line of code in a comment.
    static func deadCode(_ source: SwiftSource) -> [Finding] {
        let statement =
            #/
            ^\s*//\s*
            (?: (?:let|var)\ \w+\ ?[=:].* | (?:guard|if|for|while|switch)\ .*\{ | return\ [\w.]+\(.*\) | \}
            | import\ \w+ )
            $
            /#
        return source.commentLines.enumerated().compactMap { index, line in
            line.holds("//") && line.contains(statement)
                ? Finding(path: source.path, line: index + 1, message: "code in a comment") : nil
        }
    }
}
