import SQLCipher
import Testing

@testable import StoreEngine

/// The schema has one version so far: these bring a store to versions that no build has.
@Suite struct MigrationTests {
    /// The first step is the one that made the store, so it is not run again.
    private static let steps = [
        "this is no SQL", "CREATE TABLE made_up (number INTEGER)", "INSERT INTO made_up VALUES (7)",
    ]

    private let store: TemporaryStore

    init() throws {
        store = try TemporaryStore()
        try store.engine.write(.saveContact(ContactUpdate(sessionID: SessionID("bob"), notes: "from before")))
    }

    private func migrate(_ steps: [String]) throws {
        try store.engine.writer.perform { context throws(StoreError) in
            try Schema.migrate(try context.openConnection(), migrations: steps)
        }
    }

    private func integer(_ sql: String) throws -> Int64? {
        try store.engine.writer.perform { context throws(StoreError) in
            let connection = try context.openConnection()
            return try mapped(connection.integer(sql))
        }
    }

    @Test func `a store of an earlier version takes every step it lacks, in order, and loses nothing`() throws {
        try migrate(Self.steps)
        #expect(try integer("PRAGMA user_version") == 3)
        #expect(try integer("SELECT number FROM made_up") == 7)
        #expect(
            try store.engine.makeReader().contact(SessionID("bob"), includeAvatar: false)?.notes == "from before")
        #expect(try expectClean(store.engine) == [])
    }

    @Test func `a step that fails changes nothing, and the steps before it stay`() throws {
        let failing = Array(Self.steps.dropLast()) + ["INSERT INTO made_up VALUES (7); INSERT INTO nothing VALUES (1)"]
        #expect(throws: StoreError.self) { try migrate(failing) }
        #expect(try integer("PRAGMA user_version") == 2)
        #expect(try integer("SELECT count(*) FROM made_up") == 0)
        try migrate(Self.steps)
        #expect(try integer("SELECT number FROM made_up") == 7)
    }

    @Test func `a store that has every step takes none`() throws {
        try migrate(Self.steps)
        try migrate(Self.steps)
        #expect(try integer("SELECT count(*) FROM made_up") == 1)
    }
}
