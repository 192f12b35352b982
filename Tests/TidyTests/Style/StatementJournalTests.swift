import Testing

/// The rule against statements for which SQLite writes a statement journal. To be able to undo a single statement,
/// SQLite copies and encrypts every page that an `UPDATE` or an `INSERT OR REPLACE` changes: see `StatementText`.
@Suite struct StatementJournalTests {
    /// Beginnings of the allowed statements, which run so rarely that splitting them is not worthwhile.
    private static let exceptions = [
        // A step of the search index writes one row of this table for hundreds of messages, after the commits that
        // saved them.
        "INSERT OR REPLACE INTO search_documents",
        // This statement runs once, when the index is created.
        "INSERT OR REPLACE INTO search_state",
    ]

    @Test func `no statement of the engine needs a statement journal, except rare ones`() throws {
        let sources = try Repository.sources().filter { $0.target == "StoreEngine" }
        let literals = sources.flatMap { source in source.stringLiterals.map { (path: source.path, text: $0.text) } }
        #expect(literals.count { $0.text.contains("UPDATE OR FAIL") } > 40)
        var rest = Set(Self.exceptions)
        for literal in literals where Self.keepsPages(literal.text) {
            let exception = Self.exceptions.first { literal.text.contains($0) }
            #expect(exception != nil, "\(literal.path): \(literal.text)")
            rest.remove(exception ?? "")
        }
        #expect(rest == [], "there are none like these any more")
    }

    @Test(
        arguments: [
            "UPDATE a SET b = ?1", "UPDATE\n    a SET b = ?1", "UPDATE a AS b SET c = ?1",
            "UPDATE \\(table) SET b = ?1",
            "UPDATE OR ABORT a SET b = 1", "UPDATE OR REPLACE a SET b = 1",
            "INSERT INTO a VALUES (1) ON CONFLICT DO UPDATE SET b = 1",
            "INSERT OR REPLACE INTO a VALUES (1)", "REPLACE INTO a VALUES (1)",
            "insert or\n    replace into a VALUES (1)",
        ])
    func `a statement that needs a statement journal is found`(_ sql: String) {
        #expect(Self.keepsPages(sql))
    }

    @Test(
        arguments: [
            "UPDATE OR FAIL a SET b = ?1", "UPDATE OR\n    FAIL \\(table) SET b = ?1", "SELECT 1 FROM a",
            "CREATE TABLE a (b REFERENCES c ON UPDATE CASCADE)", "INSERT INTO a VALUES (1)",
            "INSERT OR IGNORE INTO a VALUES (1)", "SELECT replace(b, c, d) FROM a",
        ])
    func `a statement that needs no statement journal is not found`(_ sql: String) {
        #expect(!Self.keepsPages(sql))
    }

    private static func keepsPages(_ sql: String) -> Bool {
        if sql.contains(/\bREPLACE\s+INTO\b/.ignoresCase()) { return true }
        return sql.matches(of: /(\b\w+\s+)?\bUPDATE\s+(OR\s+FAIL\s)?/.ignoresCase()).contains { match in
            let isOfForeignKey = match.output.1?.lowercased().hasPrefix("on") ?? false
            return match.output.2 == nil && !isOfForeignKey
        }
    }
}
