import SQLCipher
import StoreBasics
import Testing

@testable import StoreEngine

/// Checks that a failed statement leaves nothing in the transaction that it shares with acknowledged writes. The
/// statement has already changed rows when it fails, but SQLite reports no changed row.
@Suite struct HalfStatementTests {
    private let store: TemporaryStore
    private static let insert = StatementText("INSERT INTO half (number, next) VALUES (?1, ?2)")
    /// A statement that changes the first rows and fails at the last one, because a text cannot be a row number.
    private static let move = StatementText("UPDATE OR FAIL half SET number = next")

    init() throws {
        store = try TemporaryStore()
        try store.engine.writer.perform { context throws(StoreError) in
            try context.commit { connection throws(StoreError) in
                try mapped(connection.execute("CREATE TABLE half (number INTEGER PRIMARY KEY, next)"))
                for number in 1...3 {
                    try connection.run(Self.insert, number, number + 10)
                }
                try connection.run(Self.insert, 4, "four")
            }
        }
    }

    private func numbers() throws -> [Int64] {
        try store.engine.makeReader().read { connection throws(StoreError) in
            var numbers: [Int64] = []
            let rows = try connection.rows(StatementText("SELECT number FROM half ORDER BY number"))
            while try rows.next() {
                numbers.append(rows.integer(0))
            }
            return numbers
        }
    }

    @Test func `half of a failed statement is not committed with acknowledged writes`() throws {
        try store.engine.writer.perform { context throws(StoreError) in
            try context.commit { connection throws(StoreError) in try connection.run(Self.insert, 5, 15) }
            #expect(context.hasUncommittedPages)
            let failed = reason {
                try context.commit { connection throws(StoreError) in try connection.run(Self.move) }
            }
            #expect(failed == .internal)
        }
        #expect(try numbers() == [1, 2, 3, 4, 5])
        try store.reopen()
        #expect(try numbers() == [1, 2, 3, 4, 5])
    }

    @Test func `a batch that ignores a failed statement is not committed`() throws {
        try store.engine.writer.perform { context throws(StoreError) in
            let failed = reason {
                try context.commit { connection throws(StoreError) in
                    try? connection.run(Self.move)
                    try connection.run(Self.insert, 5, 15)
                }
            }
            #expect(failed == .internal)
            try context.commit { connection throws(StoreError) in try connection.run(Self.insert, 6, 16) }
        }
        #expect(try numbers() == [1, 2, 3, 4, 6])
    }
}
