import Testing

@Suite struct ReplayedStatementTests {
    private let rule = ReplayedStatementRule()

    @Test func `every statement of the engine writes the same when it is replayed`() throws {
        let sources = try Repository.sources().filter { $0.target == "StoreEngine" }
        expectNone(sources.flatMap { rule.findings($0) })
        // Checks that the rule finds literals at all: the engine has more than 100 writing statements.
        let writes = sources.flatMap(\.stringLiterals).filter { $0.text.contains(/\b(?:INSERT|UPDATE|DELETE)\b/) }
        #expect(writes.count > 100)
    }

    @Test(
        arguments: [
            "INSERT INTO a VALUES (random())", "UPDATE a SET b = datetime('now')", "DELETE FROM a WHERE b < date(?1)",
            "INSERT OR REPLACE INTO a VALUES (last_insert_rowid())", "UPDATE a SET b = changes() WHERE c = ?1",
            "DELETE FROM a WHERE b IN (SELECT b FROM c LIMIT ?1)", "INSERT INTO a SELECT b FROM c LIMIT 1",
            "UPDATE a SET b = CURRENT_TIMESTAMP", "insert into a values (randomblob(16))",
            "CREATE TABLE a (b INTEGER DEFAULT CURRENT_TIME)",
        ])
    func `a statement whose effect may differ is found`(_ sql: String) {
        #expect(!rule.findings(sql).isEmpty)
        for literal in ["\"\(sql)\"", "\"\"\"\n    \(sql)\n    \"\"\"", "f(\"x\", \"\(sql)\")"] {
            let source = SwiftSource(
                path: "Sources/StoreEngine/Bad.swift", text: "let text = StatementText(\(literal))")
            #expect(!rule.findings(source).isEmpty, "\(literal)")
        }
    }

    @Test(
        arguments: [
            "SELECT a FROM b LIMIT 1", "SELECT random()", "INSERT INTO changes (date, time) VALUES (?1, ?2)",
            "DELETE FROM a WHERE b IN (SELECT b FROM c ORDER BY b LIMIT ?1)", "DELETE FROM changes WHERE a = ?1",
            "UPDATE a SET time = ?1",
        ])
    func `a statement whose effect is always the same is not found`(_ sql: String) {
        #expect(rule.findings(sql).isEmpty)
    }
}
