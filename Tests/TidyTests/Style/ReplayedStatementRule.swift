/// The rule that a writing statement always has the same effect on the same database. The journal contains the
/// statement and the values bound to it, and runs it again after a crash. A statement whose rows depend on anything
/// else is a finding.
struct ReplayedStatementRule {
    /// Patterns that are not allowed in a statement that writes, with the reason.
    private static let banned: [(pattern: @Sendable () -> Regex<Substring>, reason: String)] = [
        ({ /\b(?:random|randomblob)\s*\(/.ignoresCase() }, "random values; bind them"),
        (
            {
                /\b(?:date|time|datetime|julianday|unixepoch|strftime)\s*\(|\bCURRENT_(?:DATE|TIME|TIMESTAMP)\b|'now'/
                    .ignoresCase()
            },
            "the clock; bind the time"
        ),
        (
            { /\b(?:last_insert_rowid|changes|total_changes)\s*\(\s*\)/.ignoresCase() },
            "what the connection has done before; bind it"
        ),
    ]

    func findings(_ source: SwiftSource) -> [Finding] {
        source.stringLiterals.flatMap { literal in
            findings(literal.text).map { Finding(path: source.path, line: literal.line, message: $0) }
        }
    }

    func findings(_ sql: String) -> [String] {
        guard writes(sql) else { return [] }
        var findings = Self.banned.filter { sql.contains($0.pattern()) }.map { "a write depends on \($0.reason)" }
        let limits = sql.matches(of: /\bLIMIT\b/.ignoresCase()).count
        if limits > sql.matches(of: /\bORDER BY\b/.ignoresCase()).count {
            findings.append("a write takes some of the rows that fit (LIMIT); say which with ORDER BY")
        }
        return findings
    }

    private func writes(_ sql: String) -> Bool {
        sql.contains(
            /\b(?:INSERT(?:\s+OR\s+\w+)?|REPLACE)\s+INTO\b|\bUPDATE\s+\w+\s+SET\b|\bDELETE\s+FROM\b/.ignoresCase())
            || sql.contains(/\b(?:DEFAULT|CREATE\s+TRIGGER)\b/.ignoresCase())
    }
}

extension SwiftSource {
    /// The texts of string literals, each with the line in which it begins. Interpolations are left out.
    var stringLiterals: [(line: Int, text: String)] {
        var literals: [(line: Int, text: String)] = []
        var current: (line: Int, text: [UInt8])?
        for (index, line) in lines.enumerated() {
            let (bytes, code, comments) = (
                Array(line.utf8), Array(codeLines[index].utf8), Array(commentLines[index].utf8)
            )
            for place in bytes.indices {
                if code[place] == UInt8(ascii: "\"") {
                    // The quote ends a literal or begins one.
                    if let ended = current {
                        literals.append((ended.line, String(decoding: ended.text, as: UTF8.self)))
                        current = nil
                    } else {
                        current = (index + 1, [])
                    }
                } else if comments[place] == UInt8(ascii: " "), code[place] == UInt8(ascii: " ") {
                    current?.text.append(bytes[place])
                }
            }
            current?.text.append(UInt8(ascii: " "))
        }
        return literals
    }
}
