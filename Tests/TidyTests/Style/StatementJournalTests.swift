import Testing

/// SQLite keeps and encrypts every page that a plain `UPDATE` changes: see `StatementText`.
@Suite struct StatementJournalTests {
    @Test func `no update of the engine has SQLite keep what it changes`() throws {
        let sources = try Repository.sources().filter { $0.target == "StoreEngine" }
        let updates = sources.flatMap { source in
            source.stringLiterals.filter { $0.text.contains(/\bUPDATE\b/) }.map { (source.path, $0.text) }
        }
        #expect(updates.count > 40)
        for (path, text) in updates {
            #expect(!Self.keepsPages(text), "\(path): \(text)")
        }
    }

    @Test func `only updates without a word on failures are found`() {
        #expect(Self.keepsPages("UPDATE a SET b = ?1"))
        #expect(Self.keepsPages("UPDATE\n    a SET b = ?1"))
        #expect(!Self.keepsPages("UPDATE OR FAIL a SET b = ?1"))
        #expect(!Self.keepsPages("SELECT 1 FROM a"))
    }

    private static func keepsPages(_ sql: String) -> Bool {
        sql.contains(/\bUPDATE\s+(?!OR FAIL\b)\w+\s+SET\b/)
    }
}
